import * as at_uid from 'stdnum/lib/cjs/at/uid.js'
import * as au_abn from 'stdnum/lib/cjs/au/abn.js'
import * as be_vat from 'stdnum/lib/cjs/be/vat.js'
import * as bg_egn from 'stdnum/lib/cjs/bg/egn.js'
import * as bg_pnf from 'stdnum/lib/cjs/bg/pnf.js'
import * as ca_bn from 'stdnum/lib/cjs/ca/bn.js'
import * as ch_uid from 'stdnum/lib/cjs/ch/uid.js'
import * as cl_rut from 'stdnum/lib/cjs/cl/rut.js'
import * as cy_vat from 'stdnum/lib/cjs/cy/vat.js'
import * as cz_dic from 'stdnum/lib/cjs/cz/dic.js'
import * as de_vat from 'stdnum/lib/cjs/de/vat.js'
import * as dk_cvr from 'stdnum/lib/cjs/dk/cvr.js'
import * as ee_kmkr from 'stdnum/lib/cjs/ee/kmkr.js'
import * as es_cif from 'stdnum/lib/cjs/es/cif.js'
import * as es_dni from 'stdnum/lib/cjs/es/dni.js'
import * as es_nie from 'stdnum/lib/cjs/es/nie.js'
import * as es_nif from 'stdnum/lib/cjs/es/nif.js'
import * as fi_alv from 'stdnum/lib/cjs/fi/alv.js'
import * as fr_tva from 'stdnum/lib/cjs/fr/tva.js'
import * as gb_vat from 'stdnum/lib/cjs/gb/vat.js'
import * as gr_vat from 'stdnum/lib/cjs/gr/vat.js'
import * as hr_oib from 'stdnum/lib/cjs/hr/oib.js'
import * as hu_anum from 'stdnum/lib/cjs/hu/anum.js'
import * as ie_vat from 'stdnum/lib/cjs/ie/vat.js'
import * as in_gstin from 'stdnum/lib/cjs/in/gstin.js'
import * as it_iva from 'stdnum/lib/cjs/it/iva.js'
import * as kr_brn from 'stdnum/lib/cjs/kr/brn.js'
import * as lt_pvm from 'stdnum/lib/cjs/lt/pvm.js'
import * as lu_tva from 'stdnum/lib/cjs/lu/tva.js'
import * as lv_pvn from 'stdnum/lib/cjs/lv/pvn.js'
import * as mt_vat from 'stdnum/lib/cjs/mt/vat.js'
import * as mx_rfc from 'stdnum/lib/cjs/mx/rfc.js'
import * as nl_btw from 'stdnum/lib/cjs/nl/btw.js'
import * as no_orgnr from 'stdnum/lib/cjs/no/orgnr.js'
import * as nz_ird from 'stdnum/lib/cjs/nz/ird.js'
import * as pl_nip from 'stdnum/lib/cjs/pl/nip.js'
import * as pt_nif from 'stdnum/lib/cjs/pt/nif.js'
import * as ro_cif from 'stdnum/lib/cjs/ro/cif.js'
import * as ro_cui from 'stdnum/lib/cjs/ro/cui.js'
import * as se_vat from 'stdnum/lib/cjs/se/vat.js'
import * as sg_uen from 'stdnum/lib/cjs/sg/uen.js'
import * as si_ddv from 'stdnum/lib/cjs/si/ddv.js'
import * as sk_dph from 'stdnum/lib/cjs/sk/dph.js'
import * as tr_vkn from 'stdnum/lib/cjs/tr/vkn.js'
import * as tw_ubn from 'stdnum/lib/cjs/tw/ubn.js'

/** Whether a number of the library is valid. */
type Validate = (number: string) => { isValid: boolean }

/**
 * The validators that data/vat-formats.json names, by country and number. Each is a file of its own, because
 * the library as a whole would be a sixth of the Worker.
 */
export const VALIDATORS: ReadonlyMap<string, Validate> = new Map([
  ['AT.uid', at_uid.validate],
  ['AU.abn', au_abn.validate],
  ['BE.vat', be_vat.validate],
  ['BG.egn', bg_egn.validate],
  ['BG.pnf', bg_pnf.validate],
  ['CA.bn', ca_bn.validate],
  ['CH.uid', ch_uid.validate],
  ['CL.rut', cl_rut.validate],
  ['CY.vat', cy_vat.validate],
  ['CZ.dic', cz_dic.validate],
  ['DE.vat', de_vat.validate],
  ['DK.cvr', dk_cvr.validate],
  ['EE.kmkr', ee_kmkr.validate],
  ['ES.cif', es_cif.validate],
  ['ES.dni', es_dni.validate],
  ['ES.nie', es_nie.validate],
  ['ES.nif', es_nif.validate],
  ['FI.alv', fi_alv.validate],
  ['FR.tva', fr_tva.validate],
  ['GB.vat', gb_vat.validate],
  ['GR.vat', gr_vat.validate],
  ['HR.oib', hr_oib.validate],
  ['HU.anum', hu_anum.validate],
  ['IE.vat', ie_vat.validate],
  ['IN.gstin', in_gstin.validate],
  ['IT.iva', it_iva.validate],
  ['KR.brn', kr_brn.validate],
  ['LT.pvm', lt_pvm.validate],
  ['LU.tva', lu_tva.validate],
  ['LV.pvn', lv_pvn.validate],
  ['MT.vat', mt_vat.validate],
  ['MX.rfc', mx_rfc.validate],
  ['NL.btw', nl_btw.validate],
  ['NO.orgnr', no_orgnr.validate],
  ['NZ.ird', nz_ird.validate],
  ['PL.nip', pl_nip.validate],
  ['PT.nif', pt_nif.validate],
  ['RO.cif', ro_cif.validate],
  ['RO.cui', ro_cui.validate],
  ['SE.vat', se_vat.validate],
  ['SG.uen', sg_uen.validate],
  ['SI.ddv', si_ddv.validate],
  ['SK.dph', sk_dph.validate],
  ['TR.vkn', tr_vkn.validate],
  ['TW.ubn', tw_ubn.validate],
])
