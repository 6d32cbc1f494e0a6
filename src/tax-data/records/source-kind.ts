import type { SourceKind } from '../../engine/book/facts.ts'

/** Where a source was read. */
type Source = { source: string; source_url: string }

/** Hosts of the text of a law, their own and those below them: who publishes it, and law libraries. */
const OF_LAWS = new Set(
  `akleg.gov app.legiplex.com archive.legmt.gov archives.legislature.state.oh.us bclaws.gov.bc.ca bcn.cl
  billtrack50.com boe.es capitol.texas.gov casetext.com code.wvlegislature.gov codes.droit.org
  codes.findlaw.com codes.ohio.gov delcode.delaware.gov docs.legis.wisconsin.gov droit-bilingue.ch
  dziennikustaw.gov.pl e-tar.lt elaw.klri.re.kr etaamb.openjustice.be eur-lex.europa.eu fedlex.admin.ch
  finlex.fi flsenate.gov gc.nh.gov gesetze-im-internet.de govinfo.gov ilga.gov irishstatutebook.ie
  juriblio.fr ksrevisor.org law-out.mof.gov.tw law.cornell.edu law.justia.com law.lis.virginia.gov
  law.onecle.com law.uslawyerdatabase.com lawbrary.ch laws-lois.justice.gc.ca laws.e-gov.go.jp
  lawserver.com le.utah.gov leg.state.fl.us leg.state.nv.us leg.wa.gov legifrance.gouv.fr legilux.public.lu
  leginfo.legislature.ca.gov legis.iowa.gov legis.state.pa.us legiscan.com legislation.gov.au
  legislation.gov.uk legislation.govt.nz legislation.mt legislature.maine.gov legislature.mi.gov
  legisquebec.gouv.qc.ca likumi.lv lovdata.no malegislature.gov mevzuat.gov.tr mgaleg.maryland.gov
  ncga.state.nc.us ncleg.gov ndlegis.gov nebraskalegislature.gov njlaw.rutgers.edu normattiva.it
  pacodeandbulletin.gov pisrs.si regulations.justia.com retsinformation.dk revisor.mn.gov revisor.mo.gov
  riigiteataja.ee riksdagen.se ris.bka.gv.at rules.sos.ga.gov sdlegislature.gov slov-lex.sk sso.agc.gov.sg
  statutes.capitol.texas.gov statutes.laws.com texreg.sos.state.tx.us webserver.rilegislature.gov
  witnessslips.ilga.gov zakon.hr zakonyprolidi.cz`.split(/\s+/),
)

/** Hosts of tax offices, ministries and parliaments. Those below `gov` are known by their name. */
const OF_AUTHORITIES = new Set(
  `aade.gr admin.ch altinn.no agenciatributaria.gob.es anaf.ro arsstc.org belgium.be bmf.gv.at
  bofip.impots.gouv.fr business.gov.nl canada.ca debates.parlamento.pt dor.ms.gov europa.eu
  financnasprava.sk ilga.gov impots.gouv.fr info.skat.dk jnto.go.jp ksrevenue.gov michigan.gov mof.go.jp
  multco.us ontario.ca oireachtas.ie porezna-uprava.gov.hr portaldasfinancas.gov.pt portal.gov.cz
  revenue.ie revenue.state.mn.us revenuquebec.ca saeima.lv saskatchewan.ca skatteetaten.no skatteverket.se
  vero.fi vmi.lt`.split(/\s+/),
)

/** `tax.ny.gov`, `gov.uk`, `ird.govt.nz`, `www.gov.mb.ca`. */
const GOVERNMENT = /(^|\.)(gov|govt|gob|gouv|gc)(\.[a-z]{2}){0,2}$/

/** What a source says of itself that is no office: a quotation, or a data set on a code host. */
const AT_SECOND_HAND = /\bGitHub\b|\bquoted\b|\btranscribed\b|\bcopy: /

/**
 * What kind of source a page is. A law that is quoted elsewhere is secondary, and so is every host that no
 * list names.
 */
export function sourceKindOf({ source, source_url }: Source): SourceKind {
  if (AT_SECOND_HAND.test(source) || !URL.canParse(source_url)) return 'secondary'
  const { hostname } = new URL(source_url)
  const labels = hostname.replace(/\.$/, '').split('.')
  const above = labels.map((_, index) => labels.slice(index).join('.'))
  if (above.some((host) => OF_LAWS.has(host))) return 'law'
  return above.some((host) => OF_AUTHORITIES.has(host) || GOVERNMENT.test(host)) ? 'authority' : 'secondary'
}
