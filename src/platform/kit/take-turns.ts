/**
 * Lets the other requests of this isolate go on, which has one thread for all accounts. For work that takes
 * many milliseconds: call it after each few of them.
 */
export async function takeTurns(): Promise<void> {
  await scheduler.wait(0)
}
