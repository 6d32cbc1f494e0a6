/**
 * Starts a Postgres of its own, runs the tests on it, and stops it. Ends with 77 if Postgres is missing:
 * then nothing was tested.
 */
const { spawnSync } = require('node:child_process')
const { existsSync, mkdtempSync, readdirSync, rmSync } = require('node:fs')
const { createServer } = require('node:net')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const SKIPPED = 77
const DEBIAN = '/usr/lib/postgresql'

/** The newest Postgres of Debian, or null. */
function binaries() {
  if (!existsSync(DEBIAN)) return null
  const [newest] = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))
  const bin = join(DEBIAN, newest ?? '', 'bin')
  return existsSync(join(bin, 'initdb')) ? bin : null
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Postgres refuses to run as root, so root becomes the user that the package made. */
function asPostgres(command, args) {
  const root = process.getuid() === 0
  const [file, ...rest] = root
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', command]
    : [command]
  const { status, stderr } = spawnSync(file, [...rest, ...args], {
    cwd: '/',
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
}

async function main() {
  const bin = binaries()
  if (bin === null) {
    console.log(`Skipped: no Postgres in ${DEBIAN}. On Debian: apt-get install postgresql`)
    return SKIPPED
  }
  const folder = mkdtempSync(join(tmpdir(), 'medusa-postgres-'))
  const port = await freePort()
  if (process.getuid() === 0) spawnSync('chown', ['postgres:', folder])
  const data = join(folder, 'data')
  asPostgres(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'])
  const flags = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
  try {
    asPostgres(join(bin, 'pg_ctl'), ['-D', data, '-w', '-l', join(folder, 'log'), '-o', flags, 'start'])
    return await jest({ DB_HOST: '127.0.0.1', DB_PORT: String(port), DB_USERNAME: 'postgres' })
  } finally {
    asPostgres(join(bin, 'pg_ctl'), ['-D', data, '-w', '-m', 'immediate', 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The loader of Medusa imports modules, which jest allows with this flag alone. */
async function jest(database) {
  const env = {
    ...process.env,
    ...database,
    MEDUSA_DISABLE_TELEMETRY: 'true',
    NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
    SERVICE_GATE_PORT: String(await freePort()),
  }
  const { status } = spawnSync(
    process.execPath,
    [require.resolve('jest/bin/jest'), '--runInBand', '--silent', '--forceExit'],
    {
      cwd: join(__dirname, '..'),
      stdio: 'inherit',
      env,
    },
  )
  return status ?? 1
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    console.error(error)
    process.exitCode = 1
  },
)
