import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Ends the processes of the Worker that a killed service has left with the files of a state open. The caller
 * has the lock of the state, so no service runs there. Without /proc, none is found.
 */
export async function endOrphans(state: string): Promise<number> {
  const orphans = pids().filter((pid) => isWorkerOf(pid, join(state, 'v3/')))
  for (const pid of orphans) process.kill(Number(pid), 'SIGKILL')
  while (orphans.some((pid) => isWorkerOf(pid, join(state, 'v3/')))) await sleep(20)
  return orphans.length
}

function pids(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** False too if the process has ended meanwhile, or is of another user. */
function isWorkerOf(pid: string, folder: string): boolean {
  try {
    if (!/^Name:\tworkerd$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false
    return readdirSync(`/proc/${pid}/fd`).some((fd) => targetOf(`/proc/${pid}/fd/${fd}`).startsWith(folder))
  } catch {
    return false
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
