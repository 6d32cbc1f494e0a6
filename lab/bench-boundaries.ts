import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { BoundaryReader, type RatedCode } from '../collectors/us-local/boundary-file.ts'
import { unzip } from '../collectors/us-local/unzip.ts'

/**
 * Reads a generated boundary file of the size of Georgia's, 2,081,787 address records in 970 ZIPs, as the
 * collector does. Prints the time of the CPU and the memory. `write` and `read` are processes of their own,
 * so that the memory of the first does not count: `node lab/bench-boundaries.ts write FILE`, then `read`.
 */
const ROWS = 2_081_787
const ZIPS = 970
const STREETS = ['PEACHTREE', 'MAIN', 'CHURCH', 'BROAD', 'OAK', 'MAPLE', 'SPRING', 'PINE', 'HIGHLAND']
/** Rows that are compressed together. */
const BLOCK = 5_000

const [command = 'write', file = join(tmpdir(), 'boundaries-of-georgia.zip')] = process.argv.slice(2)
if (command === 'write') await write()
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
  const rated: RatedCode[] = [
    { id: 'US-GA-04000', type: 'city', code: '04000', rate: 19_000 },
    { id: 'US-GA-D-00044', type: 'district', code: '00044', rate: 10_000 },
    ...Array.from({ length: 159 }, (_, index): RatedCode => {
      const code = String(index * 2 + 1).padStart(3, '0')
      return { id: `US-GA-${code}`, type: 'county', code, rate: 30_000 + (index % 3) * 10_000 }
    }),
  ]
  const reader = new BoundaryReader({ state: 'GA', day: '2026-10-01', rated, city: 'adds', url: file })
  const decoder = new TextDecoder('latin1')
  const [cpu, began] = [process.cpuUsage(), Date.now()]
  let [peak, chunks] = [0, 0]
  for await (const chunk of unzip(createReadStream(file), /\.csv$/i, file)) {
    reader.add(decoder.decode(chunk, { stream: true }))
    chunks += 1
    if (chunks % 200 === 0) peak = Math.max(peak, held())
  }
  const found = reader.finish()
  peak = Math.max(peak, held())
  const { user, system } = process.cpuUsage(cpu)
  const text = JSON.stringify(found.zip4).length
  console.log(
    `${found.rows} rows, ${found.edition.stacks.length} stacks, ` +
      `${Object.keys(found.edition.zips).length} ZIPs`,
  )
  console.log(
    `CPU ${((user + system) / 1e6).toFixed(1)} s, ${((Date.now() - began) / 1e3).toFixed(1)} s in all`,
  )
  console.log(
    `heap and buffers at most ${megabytes(peak)}; RSS ${megabytes(process.resourceUsage().maxRSS * 1_024)}`,
  )
  console.log(`ZIP+4 ${megabytes(text)} in ${Object.keys(found.zip4).length} ZIP3`)
  if (command === 'read-and-remove') rmSync(file)
}

function held(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
