/** The schemes under which a seller registers once for the tax of several places. */
export const SCHEMES = ['oss_union', 'oss_non_union', 'ioss'] as const

export type SchemeId = (typeof SCHEMES)[number]

/** How a sentence names each scheme. */
export const SCHEME_NAMES: Readonly<Record<SchemeId, string>> = {
  oss_union: 'the One Stop Shop',
  oss_non_union: 'the One Stop Shop for sellers outside the Union',
  ioss: 'the Import One Stop Shop',
}

/** Whether a text is the id of a scheme. */
export function isScheme(text: string): text is SchemeId {
  return Object.hasOwn(SCHEME_NAMES, text)
}
