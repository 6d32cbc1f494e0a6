/** Records placed orders as sales, and refunds and cancellations as their refunds. */
export function recordInBooks(args: {
  event: { name: string; data: { id: string } }
  container: { resolve: (name: string) => unknown }
}): Promise<void>
export default recordInBooks
export const config: { event: string[]; context: { subscriberId: string } }
