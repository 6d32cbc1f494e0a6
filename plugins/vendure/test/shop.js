'use strict'
require('reflect-metadata')
const { mkdtempSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const {
  DefaultLogger,
  LanguageCode,
  LogLevel,
  mergeConfig,
  TransactionalConnection,
} = require('@vendure/core')
const { dummyPaymentHandler, manualFulfillmentHandler } = require('@vendure/core')
const {
  createTestEnvironment,
  registerInitializer,
  SqljsInitializer,
  testConfig,
} = require('@vendure/testing')
const gql = require('graphql-tag')
const { TaxCompliancePlugin } = require('../src/plugin.js')

const FOLDER = mkdtempSync(join(tmpdir(), 'vendure-'))
registerInitializer('sqljs', new SqljsInitializer(FOLDER))

const PRODUCTS = join(__dirname, 'products.csv')

/** A shop in this process with a database in memory. */
async function startShop(options, port = 18_900 + (process.pid % 1_000)) {
  const config = mergeConfig(testConfig, {
    logger: new DefaultLogger({ level: LogLevel.Error }),
    apiOptions: { port },
    paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
    shippingOptions: { fulfillmentHandlers: [manualFulfillmentHandler] },
    plugins: [
      TaxCompliancePlugin.init({ productType: () => 'physical_goods', flushEveryMs: 3_600_000, ...options }),
    ],
  })
  const shop = createTestEnvironment(config)
  const initialData = {
    defaultLanguage: LanguageCode.en,
    defaultZone: 'Everywhere',
    countries: ['United States/US', 'France/FR', 'Germany/DE'].map((each) => {
      const [name, code] = each.split('/')
      return { name, code, zone: 'Everywhere' }
    }),
    taxRates: [{ name: 'Standard', percentage: 0 }],
    shippingMethods: [{ name: 'Standard', price: 500 }],
    paymentMethods: [
      {
        name: 'Dummy',
        handler: {
          code: dummyPaymentHandler.code,
          arguments: [{ name: 'automaticSettle', value: 'true' }],
        },
      },
      {
        name: 'Later',
        handler: {
          code: dummyPaymentHandler.code,
          arguments: [{ name: 'automaticSettle', value: 'false' }],
        },
      },
    ],
    collections: [],
    roles: [],
  }
  await shop.server.init({ initialData, productsCsvPath: PRODUCTS, customerCount: 1 })
  await shop.adminClient.asSuperAdmin()
  return shop
}

const ORDER = gql`
  fragment OrderFields on Order {
    id
    code
    state
    subTotal
    subTotalWithTax
    shipping
    shippingWithTax
    total
    totalWithTax
    lines {
      id
      proratedLinePrice
      proratedLinePriceWithTax
      taxLines {
        taxRate
        description
      }
    }
    taxSummary {
      description
      taxRate
      taxBase
      taxTotal
    }
  }
`
const result = (field, args, types, more = '') => gql`
  mutation Change${types} {
    ${field}${args} {
      ... on Order { ...OrderFields }
      ... on ErrorResult { errorCode message }
      ${more}
    }
  }
  ${ORDER}
`
const ADD = result(
  'addItemToOrder',
  '(productVariantId: $id, quantity: $quantity)',
  '($id: ID!, $quantity: Int!)',
)
const ADDRESS = result('setOrderShippingAddress', '(input: $input)', '($input: CreateAddressInput!)')
const METHOD = result('setOrderShippingMethod', '(shippingMethodId: $ids)', '($ids: [ID!]!)')
const CUSTOMER = result('setCustomerForOrder', '(input: $input)', '($input: CreateCustomerInput!)')
const STATE = result(
  'transitionOrderToState',
  '(state: $state)',
  '($state: String!)',
  '... on OrderStateTransitionError { transitionError }',
)
const PAY = result('addPaymentToOrder', '(input: $input)', '($input: PaymentInput!)')

/** A shopper without an account: a session of its own. */
async function newCart({ shopClient }) {
  await shopClient.asAnonymousUser()
  const change = async (document, variables) => Object.values(await shopClient.query(document, variables))[0]
  return {
    add: (id, quantity) => change(ADD, { id, quantity }),
    address: (input) => change(ADDRESS, { input: { streetLine1: '1 Main Street', ...input } }),
    method: () => change(METHOD, { ids: ['T_1'] }),
    state: (state) => change(STATE, { state }),
    pay: (method = 'dummy') => change(PAY, { input: { method, metadata: {} } }),
    customer: () =>
      change(CUSTOMER, {
        input: { emailAddress: `a${Date.now()}@example.com`, firstName: 'A', lastName: 'B' },
      }),
  }
}

/** A number in the books of the service. */
async function inBooks(code) {
  const address = `${process.env.TAX_URL}/v1/transactions/external/${encodeURIComponent(code)}`
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${process.env.TAX_API_KEY}` } })
  return answer.status === 404 ? undefined : answer.json()
}

const rowsOf = ({ server }, entity) =>
  server.app.get(TransactionalConnection).rawConnection.getRepository(entity).find()

module.exports = { inBooks, newCart, rowsOf, startShop }
