import { expect, it } from 'vitest'
import { readShippedFiles } from '../../scripts/read-facts.ts'

/**
 * Exemptions of US states that only a data set of one day shows, and that are older than 2018-06-21 by what
 * is known of their laws. A further one needs its first day, or low confidence on the days before the set.
 */
const OLDER_THAN_THE_DATA: Record<string, string> = {
  // Food of the acts: in the SSUTA, section 327, or by a list of the state.
  candy: 'AZ CA GA LA MA MI NE NM NV OH PA SC VT WA WV WY',
  clothing: 'VT',
  dietary_supplements: 'CT DC FL MD MI NJ NY PA TX VT WV WY',
  groceries: 'CO CT DC GA IA KY LA ME MO ND NE NM NV PA RI UT VT WI WV WY',
  soft_drinks: 'AZ GA LA MA MI NE NM NV SC WY',
  medical_devices:
    'AL AR AZ CA CO CT DC FL GA HI IA ID IN KS KY LA MA MD ME MI MN MO MS NC ND NE NJ NM NV NY OH OK ' +
    'PA RI SC SD TN TX UT VA VT WA WI WV WY',
  otc_drugs: 'CT IL NJ PA VA VT',
  prescription_drugs:
    'AR CO CT DC GA HI IA ID IL KS KY LA ME MO MS NC ND NE NJ NM NV OH OK PA RI SD TN UT VA VT WA WI ' +
    'WV WY',
  // No act of the state ever named them.
  digital_goods: 'CA FL KS MA MI MO ND NV NY OK',
  ebooks: 'CA FL KS MA MI MO ND NV NY OK',
  professional_services:
    'AL AR CO CT DC FL GA IA ID IL IN KS KY LA MA ME MI MN MS NC ND NE NJ NV OH OK PA RI SC TN UT VT ' +
    'WI WY',
  saas: 'AR CT FL GA IA ID IL KS ME MI MN MO NC ND NE NJ NV OH OK WI WY',
  software_download: 'AR CT GA',
  streaming: 'CA GA ID IL KS MA MI MO ND NJ NV NY OK WY',
  // Stated separately.
  shipping: 'AL AZ CO IA ID MA MD ME MO NV OK UT WY',
}

const WITHOUT_SALES_TAX = ['US-AK', 'US-DE', 'US-MT', 'US-NH', 'US-OR']

it('an exemption of a snapshot has its first day, is doubted before, or is older than the data', () => {
  const found: Record<string, Set<string>> = {}
  for (const rule of readShippedFiles().product_rules) {
    const { jurisdiction_id, product_type, treatment, evidence, effective_from, confidence } = rule
    const lowers = treatment === 'exempt' || treatment === 'zero_rated' || treatment === 'reduced'
    if (!lowers || evidence !== 'dataset' || effective_from !== null || confidence === 'low') continue
    if (!jurisdiction_id.startsWith('US-') || WITHOUT_SALES_TAX.includes(jurisdiction_id)) continue
    found[product_type] = (found[product_type] ?? new Set()).add(jurisdiction_id.slice(3))
  }
  const cells = Object.entries(found).map(([type, states]) => [type, [...states].toSorted().join(' ')])
  expect(Object.fromEntries(cells)).toEqual(OLDER_THAN_THE_DATA)
})
