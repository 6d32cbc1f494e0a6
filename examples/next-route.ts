import { ApiError, createClient, type ProductTypeOrCode } from 'tax-compliance'

/** The body of the request. The price is in cents. */
type Asked = { country: string; postal_code: string; price: number; product_type: ProductTypeOrCode }

/**
 * A route handler of Next.js: save it as `app/api/tax/route.ts`. The key stays on the server. It only uses
 * Request and Response, so other frameworks take it too.
 */
export async function POST(request: Request): Promise<Response> {
  const { TAX_API_URL: baseUrl, TAX_API_KEY: apiKey } = process.env
  const tax = createClient({ baseUrl, apiKey, timeout: 3_000, retries: 1 })
  // The service checks each field, and names the wrong one.
  const { country, postal_code, price, product_type }: Asked = await request.json()
  try {
    const answer = await tax.calculate({
      currency: 'EUR',
      customer: { address: { country, postal_code } },
      line_items: [{ amount: price, product_type }],
      tax_behavior: 'inclusive',
    })
    return Response.json({
      net: answer.total - answer.tax_amount,
      tax: answer.tax_amount,
      rate: answer.tax_rate,
    })
  } catch (error) {
    if (error instanceof ApiError && error.status === 400)
      return Response.json({ message: error.message }, { status: 422 })
    throw error
  }
}
