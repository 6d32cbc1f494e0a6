import { readdirSync, readFileSync } from 'node:fs'

/** Resident megabytes of the workerd that this process has started; 0 if the system has no /proc. */
export function workerdMemory(): number {
  try {
    const pages = readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid) && isOurWorkerd(pid))
      .map((pid) => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]))
    return Math.round((Math.max(0, ...pages) * 4096) / 1_048_576)
  } catch {
    return 0
  }
}

/** Whether this process has started it; false if it has ended meanwhile. */
function isOurWorkerd(pid: string): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return /^Name:\tworkerd$/m.test(status) && status.includes(`\nPPid:\t${process.pid}\n`)
  } catch {
    return false
  }
}
