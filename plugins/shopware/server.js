import { serve } from '@hono/node-server'
import { createClient } from 'tax-compliance'
import { gatherSales } from 'tax-compliance/shop'
import { createShopwareApp } from './src/app.js'
import { fileOutbox, fileShops } from './src/file-stores.js'

/** Runs the app on Node. README.md names the variables. */
const {
  APP_NAME,
  APP_SECRET,
  APP_URL,
  DATA_FOLDER = 'data',
  ON_FAILURE = 'refuse',
  PORT = '8080',
} = process.env
const { PRODUCT_TYPE = 'physical_goods', TAX_API_KEY, TAX_URL } = process.env
for (const [name, value] of Object.entries({ APP_SECRET, APP_URL, TAX_API_KEY, TAX_URL }))
  if (!value) throw new Error(`${name} is not set`)

const app = createShopwareApp({
  appName: APP_NAME ?? 'TaxCompliance',
  appSecret: APP_SECRET,
  url: APP_URL,
  // The orders of several shops come at the same time.
  tax: gatherSales(createClient({ baseUrl: TAX_URL, apiKey: TAX_API_KEY })),
  shops: fileShops(`${DATA_FOLDER}/shops`),
  outbox: fileOutbox(`${DATA_FOLDER}/outbox`),
  product_type: PRODUCT_TYPE,
  on_failure: ON_FAILURE,
  onTrouble: ({ outcome, error }) => console.error(`A cart: ${outcome}, because ${reasonOf(error)}`),
  onUnrecorded: ({ why, error, order_id = '' }) =>
    console.error(`Not in the books: ${why} ${order_id}, because ${reasonOf(error)}`),
})

/** A refusal of the service by its code: its message may quote what a buyer typed. */
function reasonOf(error) {
  return error.reason ?? error.message
}

setInterval(() => void app.flush().catch(console.error), 60_000).unref()

serve({ fetch: app.fetch, port: Number(PORT) }, ({ port }) => console.log(`The app listens on ${port}`))
