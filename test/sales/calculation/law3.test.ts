import { testPanel } from '../../support/law-panel.ts'
import law3 from '../../engine/oracles/law3.json'

/** Cases that the law contradicts, and what it says. */
const instead = {
  // PMK 131/2024 and PER-12/PJ/2025: digital services of sellers whom the office appoints.
  'DIG-53': { tax_amount: 0, reason: 'not_collecting' },
  // Áfa tv., § 82(4) and annex 3/B, no. 2: no VAT on medicines that need a prescription, since 2026-09-01.
  'EUP-156': { tax_amount: 0 },
  // Merverdiavgiftsloven, § 3-8(2): the right to do sports is exempt.
  'NO3-25': { tax_amount: 0 },
}

await testPanel(law3, { day: '2026-11-26', instead })
