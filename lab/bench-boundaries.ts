import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32, deflateRawSync } from 'node:zlib'
import { readBoundaries, type ReadBoundaries } from './bench/boundaries-worker.ts'

/**
 * Reads a generated boundary file of the size of Georgia's, 2,081,787 address records in 970 ZIPs, as the
 * collector does. Prints the time of the CPU and the memory. Each command is a process of its own, so the
 * memory of one does not count for another: `node lab/bench-boundaries.ts write FILE`, then `read` in Node or
 * `workerd` in the runtime of the service.
 */
const ROWS = 2_081_787
const ZIPS = 970
const STREETS = ['PEACHTREE', 'MAIN', 'CHURCH', 'BROAD', 'OAK', 'MAPLE', 'SPRING', 'PINE', 'HIGHLAND']
/** Rows that are compressed together. */
const BLOCK = 5_000

const [command = 'write', file = join(tmpdir(), 'boundaries-of-georgia.zip')] = process.argv.slice(2)
if (command === 'write') await write()
else if (command === 'workerd') await readInWorkerd()
else await read()

/** A zip archive whose sizes stand in its directory only. */
async function write(): Promise<void> {
  const name = Buffer.from('GAB2026Q4AUG20.csv')
  const out = createWriteStream(file)
  let offset = 0
  const put = async (bytes: Buffer) => {
    offset += bytes.byteLength
    if (!out.write(bytes)) await new Promise<void>((resolve) => out.once('drain', () => resolve()))
  }
  await put(header(0x04034b50, name, 0, 0, 0))
  const start = offset
  let [crc, raw] = [0, 0]
  for (let row = 0; row < ROWS; row += BLOCK) {
    const lines = Array.from({ length: Math.min(BLOCK, ROWS - row) }, (_, index) => lineOf(row + index))
    const text = Buffer.from(lines.join(''))
    crc = crc32(text, crc)
    raw += text.byteLength
    const last = row + BLOCK >= ROWS
    // Blocks of one stream: only the last of them is final.
    await put(deflateRawSync(text, { finishFlush: last ? 4 : 2 }))
  }
  const packed = offset - start
  const descriptor = Buffer.alloc(16)
  descriptor.writeUInt32LE(0x08074b50, 0)
  for (const [index, value] of [crc, packed, raw].entries()) descriptor.writeUInt32LE(value, 4 + index * 4)
  await put(descriptor)
  const directory = offset
  await put(header(0x02014b50, name, crc, packed, raw))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(offset - directory, 12)
  end.writeUInt32LE(directory, 16)
  await put(end)
  await new Promise<void>((resolve) => out.end(() => resolve()))
  console.log(`${file}: ${ROWS} rows, ${megabytes(raw)} unpacked, ${megabytes(statSync(file).size)} packed`)
}

function header(signature: number, name: Buffer, crc: number, packed: number, raw: number): Buffer {
  const ofFile = signature === 0x04034b50
  const bytes = Buffer.alloc(ofFile ? 30 : 46)
  bytes.writeUInt32LE(signature, 0)
  const at = ofFile ? 4 : 6
  bytes.writeUInt16LE(20, at)
  bytes.writeUInt16LE(8, at + 2)
  bytes.writeUInt16LE(8, at + 4)
  bytes.writeUInt32LE(crc, at + 10)
  bytes.writeUInt32LE(packed, at + 14)
  bytes.writeUInt32LE(raw, at + 18)
  bytes.writeUInt16LE(name.byteLength, at + 22)
  return Buffer.concat([bytes, name])
}

/** A record of an address. Its add-on code decides whether it is in the city, in a place that varies. */
function lineOf(row: number): string {
  const zip = 30_001 + (row % ZIPS)
  const code = (row * 7_919) % 10_000
  const county = String(((row % ZIPS) % 159) * 2 + 1).padStart(3, '0')
  const street = STREETS[row % STREETS.length]
  const low = (row % 9_000) + 1
  const city = Math.sin(row) > 0.3 ? '04000' : ''
  const district = row % 11 === 0 ? 'ST,00044,63' : ',,'
  const tail = `13,13,${county},${city},,,,${district}${','.repeat(57)}`
  const zip4 = String(code).padStart(4, '0')
  const house = `${low},${low + 8},B,,${street},ST`
  return `A,20220101,29991231,${house},,,,,,ATLANTA,${zip},${zip4},,,,,,${tail}\r\n`
}

async function read(): Promise<void> {
  const [cpu, began] = [process.cpuUsage(), Date.now()]
  let [peak, chunks] = [0, 0]
  const found = await readBoundaries(createReadStream(file), () => {
    chunks += 1
    if (chunks % 200 === 0) peak = Math.max(peak, held())
  })
  peak = Math.max(peak, held())
  const { user, system } = process.cpuUsage(cpu)
  print(found, (user + system) / 1e6, (Date.now() - began) / 1e3)
  console.log(
    `heap and buffers at most ${megabytes(peak)}; RSS ${megabytes(process.resourceUsage().maxRSS * 1_024)}`,
  )
}

/** Sends the file to a worker in workerd. CPU and memory are those of its process, as Linux counts them. */
async function readInWorkerd(): Promise<void> {
  // Only here: they would count as memory of `read`.
  const { buildWorker } = await import('../scripts/run-worker.ts')
  const { startBare } = await import('./service.ts')
  const worker = await startBare(await buildWorker('lab/bench/boundaries-worker.ts'))
  try {
    await fetch(worker.origin)
    const pid = await pidOfWorkerd()
    const [before, began] = [await statusOf(pid), Date.now()]
    let peak = before.rss
    const looking = setInterval(() => void statusOf(pid).then(({ rss }) => (peak = Math.max(peak, rss))), 20)
    const body = Readable.toWeb(createReadStream(file))
    // The types of the runtime do not know `duplex`, which Node needs to send a stream.
    const sent: RequestInit = Object.assign({ method: 'POST', body }, { duplex: 'half' })
    const response = await fetch(worker.origin, sent)
    const found: ReadBoundaries = await response.json()
    clearInterval(looking)
    const after = await statusOf(pid)
    print(found, after.cpu - before.cpu, (Date.now() - began) / 1e3)
    console.log(`RSS of workerd ${megabytes(before.rss)} before, at most ${megabytes(peak)}`)
  } finally {
    await worker.dispose()
  }
}

/** The process of workerd that this process started. */
async function pidOfWorkerd(): Promise<string> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')
  for (const pid of children.trim().split(' '))
    if ((await readFile(`/proc/${pid}/comm`, 'utf8')).startsWith('workerd')) return pid
  throw new Error('workerd is no child of this process')
}

/** Seconds of CPU, and bytes in memory. Linux counts CPU in hundredths of a second. */
async function statusOf(pid: string): Promise<{ cpu: number; rss: number }> {
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return { cpu: (Number(stat[11]) + Number(stat[12])) / 100, rss: Number(stat[21]) * 4_096 }
}

function print({ rows, stacks, zips, zip3, text }: ReadBoundaries, cpu: number, seconds: number): void {
  console.log(`${rows} rows, ${stacks} stacks, ${zips} ZIPs`)
  console.log(`CPU ${cpu.toFixed(1)} s, ${seconds.toFixed(1)} s in all`)
  console.log(`ZIP+4 ${megabytes(text)} in ${zip3} ZIP3`)
}

function held(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
