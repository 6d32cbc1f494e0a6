/**
 * A certificate in the address of the console, which needs its customer.
 * @param {string} customer_id
 * @param {string} id
 */
export function certificateAddress(customer_id, id) {
  return `${customer_id}~${id}`
}
