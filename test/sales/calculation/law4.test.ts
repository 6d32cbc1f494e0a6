import { testPanel } from '../../support/law-panel.ts'
import law4 from '../../engine/oracles/law4.json'

/** Cases whose amount the data does not know, and what the line says of it. */
const instead = {
  // The product type holds taxed and untaxed services.
  'CA-07': { tax_amount: 1100, note: 'not certain' },
  // The city tax of Springfield is not in the data.
  'INS-05': { tax_amount: 775, note: 'a local tax of Springfield is not in the data' },
  // The state has no deposit law, and no page was found on deposits that a seller takes.
  'USD-107': { tax_amount: 7, note: 'No rule in the data for bottle deposit' },
  // The state has not settled it.
  'SVC-29': { tax_amount: 400, note: 'not certain' },
}

await testPanel(law4, { day: '2026-11-26', instead })
