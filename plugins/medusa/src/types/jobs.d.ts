/** Sends what waits, and what was lost. Returns how many entries reached the books. */
export function catchUp(container: { resolve: (name: string) => unknown }): Promise<number>
export default catchUp
export const config: { name: string; schedule: string }
