import { env } from 'cloudflare:workers'
import gaps from '../../data/us-local/gaps.csv?raw'
import jurisdictions from '../../data/us-local/jurisdictions.csv?raw'
import main_cities from '../../data/us-local/main-cities.csv?raw'
import own_taxes from '../../data/us-local/own-taxes.csv?raw'
import states from '../../data/us-local/states.json?raw'
import zip_counties from '../../data/us-local/zip-counties.csv?raw'
import { applyLocalData } from '../../scripts/shipped-data/apply-local-data.ts'
import { localDataOf } from '../../scripts/shipped-data/local-data.ts'

/** The local taxes of the United States as a deployment loads them. */
export async function loadShippedLocalTaxes(): Promise<void> {
  const now = new Date('2026-11-20T00:00:00Z')
  const files = { states, jurisdictions, zip_counties, own_taxes, gaps, main_cities }
  await applyLocalData(env, localDataOf(files, now.toISOString()), now)
}
