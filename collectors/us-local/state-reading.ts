import type { LocalEdition } from '../../src/tax-data/status/local-editions-store.ts'
import type { LocalFileKind } from '../../src/platform/database/values/run-outcomes.ts'
import type { LocalData } from '../../src/engine/regimes/us-local/local-book.ts'
import type { StateOnFile } from '../../src/tax-data/records/local-parts.ts'
import type { Fetching } from '../documents.ts'
import type { Addresses } from '../gather.ts'
import type { RateChange } from './believe.ts'
import type { BoundariesOfFile } from './boundaries-of-file.ts'
import type { ReadDocument } from './read-member.ts'

/** How the files of a state are read. */
export type LocalOptions = {
  now: Date
  addresses: Addresses
  /** Whether boundary files are read: they need more CPU time than the free plan of Workers allows. */
  boundaries: boolean
  /** A person has looked: unusual changes are believed. What cannot be right never is. */
  accept?: boolean
  dry_run?: boolean
} & Pick<Fetching, 'timeout_ms' | 'pause_ms' | 'eager'>

/** What is on file of a state before its files are read. `state_rate`: millionths. */
export type Known = {
  state: string
  day: string
  data: LocalData
  before: StateOnFile
  state_rate: number
  editions: ReadonlyMap<LocalFileKind, LocalEdition>
}

/** What the files of a state say, as far as they are believed. */
export type StateReading = {
  state: string
  documents: ReadDocument[]
  before: StateOnFile
  /** Null: the files were not read or not believed, so nothing changes. */
  after: StateOnFile | null
  changes: RateChange[]
  boundaries: { from: string; found: BoundariesOfFile } | null
  editions: Omit<LocalEdition, 'listed_file'>[]
  faults: FileFault[]
  /** What was left out or kept of a file that was applied: it is told, and asked about. */
  remarks: { kind: LocalFileKind; text: string }[]
}

/** Why a file of a state is not applied. */
type FileFault = { kind: LocalFileKind; outcome: 'quarantined' | 'failed'; error: string }

/** A reading that a person has to judge. */
export class Doubt extends Error {}
