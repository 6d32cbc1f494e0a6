import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Resident megabytes of the workerd that a process has started; 0 if the system has no /proc. */
export function workerdMemory(parent = process.pid): number {
  try {
    const pages = workerds(parent).map((pid) =>
      Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]),
    )
    return Math.round((Math.max(0, ...pages) * 4096) / 1_048_576)
  } catch {
    return 0
  }
}

/**
 * Milliseconds of processor time that the main thread of a workerd has used, on which it serves all requests.
 * NaN if the system has no /proc.
 */
export function processorMs(pid: string | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000
  } catch {
    return Number.NaN
  }
}

/** Microseconds of processor time of all threads of a process. NaN if the system has no /proc. */
export function processorUs(pid: string | undefined): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + usOfThread(`/proc/${pid}/task/${thread}/schedstat`), 0)
  } catch {
    return Number.NaN
  }
}

/** A thread may end between the list and this. */
function usOfThread(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1_000
  } catch {
    return 0
  }
}

/** The processes of workerd that a process has started, by default this one; the last one at the end. */
export function workerds(parent = process.pid): string[] {
  if (!existsSync('/proc')) return []
  const pids = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isWorkerdOf(pid, parent))
  return pids.toSorted((one, other) => Number(one) - Number(other))
}

/** Whether the parent has started it; false if it has ended meanwhile. */
function isWorkerdOf(pid: string, parent: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return /^Name:\tworkerd$/m.test(status) && status.includes(`\nPPid:\t${parent}\n`)
  } catch {
    return false
  }
}
