import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir, networkInterfaces, release, type, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from '../environment.ts'

/** What HMRC's fraud prevention headers say of a device. What is not known is empty. */
export type Device = {
  id: string
  ips: readonly string[]
  mac_addresses: readonly string[]
  user: string
  os: string
  os_version: string
  manufacturer: string
  model: string
  /** Of the clock of the device, ahead of UTC. */
  minutes_ahead: number
}

/** The device that the command runs on. Its id is made once, and kept in a file of the user. */
export function thisDevice(env: Environment, now: Date): Device {
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal }) => !internal)
  return {
    id: deviceId(join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'tax-compliance', 'device-id')),
    ips: [...new Set(addresses.map(({ address }) => address))],
    mac_addresses: [...new Set(addresses.map(({ mac }) => mac))],
    user: userInfo().username,
    os: type(),
    os_version: release(),
    manufacturer: ofLinux('sys_vendor'),
    model: ofLinux('product_name'),
    minutes_ahead: -now.getTimezoneOffset(),
  }
}

function deviceId(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    const id = randomUUID()
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${id}\n`, { mode: 0o600 })
    return id
  }
}

/** What Linux knows of the hardware; '' elsewhere. */
function ofLinux(name: string): string {
  try {
    return readFileSync(`/sys/class/dmi/id/${name}`, 'utf8').trim()
  } catch {
    return ''
  }
}
