import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalData } from '../src/engine/regimes/us-local/local-book.ts'
import { localDataOf, sourcingLawsOf } from './shipped-data/local-data.ts'

/** The shipped local taxes of the United States. Throws if a record has a wrong shape. */
export function readLocalData(version: string): LocalData {
  const files = {
    states: readText('states.json'),
    jurisdictions: readText('jurisdictions.csv'),
    zip_counties: readText('zip-counties.csv'),
    own_taxes: readText('own-taxes.csv'),
    gaps: readText('gaps.csv'),
    main_cities: readText('main-cities.csv'),
  }
  return localDataOf(files, version)
}

/** Where each state says at whose place it taxes. */
export function readSourcingLaws(): ReadonlyMap<string, { source: string; read_on: string } | undefined> {
  return new Map(sourcingLawsOf(readText('states.json')))
}

function readText(name: string): string {
  return readFileSync(join(import.meta.dirname, '../data/us-local', name), 'utf8')
}
