import { resolve } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { COPIES_PREFIX } from '../../src/sales/sealed/chest.ts'
import { BACKUPS_PREFIX, FILES_PREFIX, readManifests } from '../../src/service/backups/manifest.ts'

/**
 * A folder of this machine as a bucket of backups, so that a backup goes from one installation to another:
 * from Cloudflare to a machine, or back. Call `dispose`, or the process will not end.
 */
export async function openBackupFolder(
  folder: string,
): Promise<{ bucket: R2Bucket; dispose: () => Promise<void> }> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      r2Buckets: ['BACKUPS'],
      resourcePersistencePath: resolve(folder),
    }),
  )
  // The types of miniflare and of the Workers describe the same bucket.
  const bucket = (await miniflare.getR2Bucket('BACKUPS')) as unknown as R2Bucket
  return { bucket, dispose: () => miniflare.dispose() }
}

/** Copies a run, the files of certificates and the chests to another bucket. The manifests come last. */
export async function copyRun(from: R2Bucket, to: R2Bucket, run: string): Promise<void> {
  const manifests: string[] = []
  for (const prefix of [FILES_PREFIX, COPIES_PREFIX, `${BACKUPS_PREFIX}${run}/`])
    for (let cursor: string | undefined; ;) {
      const page = await from.list({ prefix, ...(cursor !== undefined && { cursor }) })
      for (const { key } of page.objects)
        if (key.endsWith('/manifest.json')) manifests.push(key)
        else await copyObject(from, to, key)
      if (!page.truncated) break
      ;({ cursor } = page)
    }
  for (const key of manifests) await copyObject(from, to, key)
  if ((await readManifests(to, run)) === null) throw new Error(`The copy of ${run} is not whole`)
}

async function copyObject(from: R2Bucket, to: R2Bucket, key: string): Promise<void> {
  const found = await from.get(key)
  if (found === null) return
  const { customMetadata, httpMetadata } = found
  await to.put(key, await found.arrayBuffer(), {
    ...(customMetadata && { customMetadata }),
    ...(httpMetadata && { httpMetadata }),
  })
}
