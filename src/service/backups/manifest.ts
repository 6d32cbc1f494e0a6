/**
 * A backup of a database, in a bucket: parts with the rows of a table, compressed JSON, and a manifest that
 * is written last. A run without the manifests of all shards is not whole.
 */
export type Manifest = {
  run: string
  shard: number
  /** The numbers of all databases of the installation. */
  shards: number[]
  release: string
  begun_at: string
  ended_at: string
  parts: ManifestPart[]
}

/** `sha256` is of the bytes in the bucket. */
export type ManifestPart = { key: string; table: string; rows: number; sha256: string }

/** The content of a part. */
export type PartOfTable = { columns: string[]; rows: (string | number | null)[][] }

export const BACKUPS_PREFIX = 'backups/'
export const FILES_PREFIX = 'files/'

export function folderOf(run: string, shard: number): string {
  return `${BACKUPS_PREFIX}${run}/${shard}/`
}

export function manifestKey(run: string, shard: number): string {
  return `${folderOf(run, shard)}manifest.json`
}

/** A part is named in 200 bytes, so this is more than the 10 GB of a database need. */
const MANIFEST_BYTES_MAX = 32_000_000

/** The manifests of all databases of a run, as they were written; null: one is missing, or is none. */
export async function readManifests(bucket: R2Bucket, run: string): Promise<Manifest[] | null> {
  const control = await readManifest(bucket, run, 0)
  if (!Array.isArray(control?.shards)) return null
  const manifests: Manifest[] = []
  for (const number of control.shards) {
    const manifest = await readManifest(bucket, run, number)
    if (manifest === null) return null
    manifests.push(manifest)
  }
  return manifests
}

async function readManifest(bucket: R2Bucket, run: string, shard: number): Promise<Manifest | null> {
  const stored = await bucket.get(manifestKey(run, shard))
  return stored === null || stored.size > MANIFEST_BYTES_MAX ? null : stored.json<Manifest>()
}

export async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
