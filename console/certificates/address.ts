/** A certificate in the address of the console, which needs its customer. */
export function certificateAddress(customer_id: string, id: string): string {
  return `${customer_id}~${id}`
}
