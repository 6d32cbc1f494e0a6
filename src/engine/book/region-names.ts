/**
 * Places whose code or name in ISO 3166-2 differs from the data. Names are as plainName returns them. Some
 * places are not in the data: the engine then answers not_supported. It neither refuses the region nor takes
 * it for the mainland.
 */
export const REGION_ALIASES: ReadonlyMap<string, string> = new Map([
  ['ES-canarias', 'ES-CN'],
  ['ES-GC', 'ES-CN'],
  ['ES-las palmas', 'ES-CN'],
  ['ES-TF', 'ES-CN'],
  ['ES-santa cruz de tenerife', 'ES-CN'],
  ['FI-01', 'AX'],
  ['FI-ahvenanmaan maakunta', 'AX'],
  ['FR-971', 'GP'],
  ['FR-972', 'MQ'],
  ['FR-973', 'GF'],
  ['FR-guyane (francaise)', 'GF'],
  ['FR-974', 'RE'],
  ['FR-la reunion', 'RE'],
  ['FR-976', 'YT'],
  ['FR-corse', 'FR-20R'],
  ['FR-2A', 'FR-20R'],
  ['FR-corse-du-sud', 'FR-20R'],
  ['FR-2B', 'FR-20R'],
  ['FR-haute-corse', 'FR-20R'],
  ['FR-BL', 'BL'],
  ['FR-saint-barthelemy', 'BL'],
  ['FR-MF', 'MF'],
  ['FR-saint-martin', 'MF'],
  ['FR-NC', 'NC'],
  ['FR-nouvelle-caledonie', 'NC'],
  ['FR-PF', 'PF'],
  ['FR-polynesie francaise', 'PF'],
  ['FR-PM', 'PM'],
  ['FR-saint-pierre-et-miquelon', 'PM'],
  ['FR-TF', 'TF'],
  ['FR-terres australes francaises', 'TF'],
  ['FR-WF', 'WF'],
  ['FR-wallis-et-futuna', 'WF'],
  ['GB-NIR', 'XI'],
  ['GR-agion oros', 'GR-69'],
  ['PT-regiao autonoma dos acores', 'PT-20'],
  ['PT-regiao autonoma da madeira', 'PT-30'],
  ['US-AS', 'AS'],
  ['US-american samoa', 'AS'],
  ['US-GU', 'GU'],
  ['US-guam', 'GU'],
  ['US-MP', 'MP'],
  ['US-northern mariana islands', 'MP'],
  ['US-UM', 'UM'],
  ['US-united states minor outlying islands', 'UM'],
  ['US-VI', 'VI'],
  ['US-united states virgin islands', 'VI'],
  ['NO-21', 'SJ'],
  ['NO-svalbard', 'SJ'],
  ['NO-22', 'SJ'],
  ['NO-jan mayen', 'SJ'],
])

/** Territories with a country code of their own that are a region of another country in the data. */
export const COUNTRIES_KEPT_AS_REGIONS: ReadonlyMap<string, string> = new Map([['PR', 'US-PR']])

/** A name without case and accents, so that `Québec` and `quebec` are one. */
export function plainName(name: string): string {
  const plain = /^[ -~]*$/.test(name) ? name : name.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return plain.trim().toLowerCase()
}
