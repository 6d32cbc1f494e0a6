type WithId = { id: string }

/** Fills `additional_context`. Call it in the handler of the hook `setTaxLineContext`, and return its answer. */
export function setTaxContext(
  input: { cart?: object; order?: object; items?: object[]; shipping_methods?: object[] },
  context: { container: { resolve: (name: string) => unknown } },
): Promise<{ tax_compliance: { items: WithId[]; shipping_methods: WithId[]; [fact: string]: unknown } }>
