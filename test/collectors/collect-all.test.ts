import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { readEverySource, tableOf } from '../../scripts/collect-all.ts'
import gaps from '../../data/us-local/gaps.csv?raw'
import jurisdictions from '../../data/us-local/jurisdictions.csv?raw'
import main_cities from '../../data/us-local/main-cities.csv?raw'
import own_taxes from '../../data/us-local/own-taxes.csv?raw'
import states from '../../data/us-local/states.json?raw'
import zip_counties from '../../data/us-local/zip-counties.csv?raw'
import { applyLocalData } from '../../scripts/shipped-data/apply-local-data.ts'
import { localDataOf } from '../../scripts/shipped-data/local-data.ts'
import { DOCUMENT_SHAPES } from '../../src/tax-data/status/document-shapes.ts'
import { SOURCE_HOST } from '../support/source-server.ts'
import { NOW, publish, shipData, values } from './collecting.ts'
import registering from './documents/au/registering-for-gst.html?raw'
import rates from './documents/uk/vat-rates.json?raw'
import supplement from './documents/uk/supplement.json?raw'

describe('the first night', () => {
  beforeEach(async () => {
    await shipData()
    const files = { states, jurisdictions, zip_counties, own_taxes, gaps, main_cities }
    await applyLocalData(env, localDataOf(files, NOW.toISOString()), NOW)
  })

  it('says of every source what a run would do, why not, and what to do about it, and writes nothing', async () => {
    const folder = `https://${SOURCE_HOST}/${crypto.randomUUID()}`
    const json = (body: string) => ({ body, type: 'application/json' })
    await publish(`${folder}/SOURCE_UK_RATES`, json(rates.replace('<th>Rate</th>', '<th>Band</th>')))
    await publish(`${folder}/SOURCE_UK_THRESHOLD`, json(supplement))
    await publish(`${folder}/SOURCE_AU_GST`, {
      body: registering.replace('tax of 10%', 'tax of 12.5%'),
      type: 'text/html',
    })
    const before = await values()
    const addresses = Object.fromEntries(
      DOCUMENT_SHAPES.map(({ variable }) => [variable, `${folder}/${variable}`]),
    )
    const rows = await readEverySource(env, { now: NOW, addresses })
    expect(rows.find(({ part }) => part === 'VAT rates')).toMatchObject({
      region: 'EU',
      would: 'nothing',
      why: expect.stringContaining('answered 404'),
      to_do: expect.stringContaining('address'),
    })
    expect(rows.find(({ region, part }) => region === 'UK' && part === 'VAT rates')).toMatchObject({
      would: expect.stringContaining('confirm 0'),
      to_do: expect.stringContaining('new shape'),
    })
    expect(rows.find(({ part }) => part === 'VAT registration threshold')).toMatchObject({
      would: 'confirm 1, change 0, hold 0',
      why: null,
      to_do: null,
    })
    expect(rows.find(({ region, part }) => region === 'AU' && part === 'GST rate')).toMatchObject({
      would: 'confirm 0, change 0, hold 1',
      to_do: expect.stringContaining('npm run collect -- AU --accept'),
    })
    expect(rows.filter(({ region }) => region === 'US-LOCAL').map(({ part }) => part)).toContain('GA')
    expect(tableOf(rows).split('\n')).toHaveLength(rows.length + 1)
    expect(await values()).toEqual(before)
    expect(await env.DB.prepare('SELECT count(*) AS n FROM collector_runs').first('n')).toBe(0)
  })
})
