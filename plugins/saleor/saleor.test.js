import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, test } from 'node:test'
import { getJwksUrlFromSaleorApiUrl, verifySignatureWithJwks } from '@saleor/app-sdk/auth'
import { CHECKOUT, newKey, openShop, orderEvent, signatureOf } from './shop.js'

const { TAX_URL, TAX_API_KEY } = process.env

let shop
let install
let manifest
before(async () => {
  shop = await openShop()
  assert.equal((await call('PUT', '/v1/account', { country: 'FR' })).status, 200)
  const given = await call('POST', '/v1/registrations', { jurisdiction_id: 'FR', valid_from: '2020-01-01' })
  assert.ok([201, 409].includes(given.status), JSON.stringify(given.body))
  const made = await call('POST', '/v1/saleor/installs', { saleor_api_url: shop.api })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  install = made.body
  manifest = await (await fetch(new URL(install.manifest_url, TAX_URL))).json()
  assert.deepEqual(await register('of-somebody-else'), 403)
  assert.deepEqual(await register(shop.token), 200)
  assert.deepEqual(await register(shop.token), 403)
})
after(async () => {
  if (install !== undefined) await call('DELETE', `/v1/saleor/installs/${install.id}`)
  shop?.close()
})

async function call(method, path, body) {
  const response = await fetch(new URL(path, TAX_URL), {
    method,
    headers: { Authorization: `Bearer ${TAX_API_KEY}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function register(auth_token) {
  const response = await fetch(manifest.tokenTargetUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Saleor-Api-Url': shop.api },
    body: JSON.stringify({ auth_token }),
  })
  await response.body?.cancel()
  return response.status
}

/** Sends a payload to the webhook of an event, as the manifest says. */
async function send(event, body, signature) {
  const webhook = manifest.webhooks.find((each) =>
    [...(each.syncEvents ?? []), ...(each.asyncEvents ?? [])].includes(event),
  )
  const response = await fetch(webhook.targetUrl, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Saleor-Event': event.toLowerCase(),
      'Saleor-Api-Url': shop.api,
      'Saleor-Signature': signature,
    },
    body,
  })
  return { status: response.status, body: await response.json() }
}

function sendSigned(event, payload) {
  const body = JSON.stringify(payload)
  return send(event, body, signatureOf(shop.key, body))
}

/** Whether the package of Saleor accepts a signature, with the keys at the address where it looks for them. */
async function sdkAccepts(signature, body) {
  const jwks = await (await fetch(getJwksUrlFromSaleorApiUrl(shop.api))).text()
  return verifySignatureWithJwks(jwks, signature, body).then(
    () => true,
    () => false,
  )
}

/** What the compiler says of a manifest as the type of the package of Saleor. Empty: it is one. */
async function faultsOf(value) {
  const folder = await mkdtemp(fileURLToPath(new URL('manifest-', import.meta.url)))
  try {
    const file = join(folder, 'manifest.ts')
    const source = `export const manifest: AppManifest = ${JSON.stringify(value)}`
    await writeFile(file, `import type { AppManifest } from '@saleor/app-sdk/types'\n${source}\n`)
    const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
    const how = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...how, file])
    return status === 0 ? '' : `${stdout}${stderr}`
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the manifest has the type of the package of Saleor', async () => {
  assert.equal(await faultsOf(manifest), '')
  const [first, ...others] = manifest.webhooks
  const unknown = { ...first, syncEvents: ['CHECKOUT_CALCULATE_DUTIES'] }
  assert.match(await faultsOf({ ...manifest, webhooks: [unknown, ...others] }), /CHECKOUT_CALCULATE_DUTIES/)
  assert.match(await faultsOf({ ...manifest, permissions: ['HANDLE_DUTIES'] }), /HANDLE_DUTIES/)
})

test('the service accepts the signature that the package of Saleor accepts', async () => {
  const body = JSON.stringify(CHECKOUT)
  const signature = signatureOf(shop.key, body)
  assert.equal(await sdkAccepts(signature, body), true)
  const { status, body: taxes } = await send('CHECKOUT_CALCULATE_TAXES', body, signature)
  assert.equal(status, 200)
  assert.deepEqual(taxes, {
    shipping_tax_rate: '20',
    shipping_price_net_amount: '5.00',
    shipping_price_gross_amount: '6.00',
    lines: [{ tax_rate: '20', total_net_amount: '10.00', total_gross_amount: '12.00' }],
  })
})

const SENT = JSON.stringify(CHECKOUT)
const CRITICAL = { b64: false, crit: ['b64'] }
const REFUSED = {
  'of another body': () => signatureOf(shop.key, SENT.replace('10', '11')),
  'of another key with the same id': () => signatureOf(newKey('1'), SENT),
  'of a key that the shop does not have': () => signatureOf(newKey('2'), SENT),
  'that names no algorithm': () => signatureOf(shop.key, SENT, { alg: 'none', kid: '1', ...CRITICAL }),
  'that names another algorithm': () => signatureOf(shop.key, SENT, { alg: 'HS256', kid: '1', ...CRITICAL }),
  'with an unknown extension': () =>
    signatureOf(shop.key, SENT, { alg: 'RS256', kid: '1', b64: false, crit: ['b64', 'exp2'] }),
  'that is cut off': () => signatureOf(shop.key, SENT).slice(0, -8),
}
for (const [name, made] of Object.entries(REFUSED))
  test(`both refuse a signature ${name}`, async () => {
    const signature = made()
    assert.equal(await sdkAccepts(signature, SENT), false)
    const { status, body } = await send('CHECKOUT_CALCULATE_TAXES', SENT, signature)
    assert.deepEqual([status, body.reason], [401, 'invalid_signature'])
  })

test('a confirmed order is in the books once, and a cancellation gives it back', async () => {
  const { body: taxes } = await sendSigned('CHECKOUT_CALCULATE_TAXES', CHECKOUT)
  const id = `order-${Date.now()}`
  const sale = async () => (await call('GET', `/v1/transactions/external/saleor:${id}`)).body
  const confirmed = orderEvent('OrderConfirmed', id, taxes)
  const cancelled = orderEvent('OrderCancelled', id, taxes, { status: 'CANCELED' })
  assert.equal((await sendSigned('ORDER_CANCELLED', cancelled)).status, 404)
  assert.deepEqual((await sendSigned('ORDER_CONFIRMED', confirmed)).body, { recorded: true, refunded: false })
  assert.deepEqual((await sendSigned('ORDER_CONFIRMED', confirmed)).body, {
    recorded: false,
    refunded: false,
  })
  const recorded = await sale()
  assert.deepEqual([recorded.total, recorded.tax_amount, recorded.tax_source], [1_800, 300, 'calculated'])
  assert.deepEqual((await sendSigned('ORDER_CANCELLED', cancelled)).body, { recorded: false, refunded: true })
  assert.equal((await sale()).amount_refunded, 1_800)
})
