import { hubTokenForm } from '@postil/contract/files/hub-token.ts'
import { optional, setting } from './define-setting.ts'
import { pattern, seconds, serviceUrl } from './parsers.ts'

/** Settings of importing from the hub and exporting to it. */
export const hubSettings = {
  hubUrl: setting({
    names: ['HF_ENDPOINT'],
    parse: serviceUrl,
    fallback: 'https://huggingface.co',
    shown: '`https://huggingface.co`',
    doc: 'The hub that datasets are imported from and exported to.',
  }),
  datasetsServer: setting({
    names: ['POSTIL_DATASETS_SERVER'],
    parse: serviceUrl,
    fallback: 'https://datasets-server.huggingface.co',
    shown: '`https://datasets-server.huggingface.co`',
    doc: "The hub's service that tells subsets, splits and Parquet files of its datasets.",
  }),
  hubToken: optional({
    names: ['HF_TOKEN'],
    parse: pattern(hubTokenForm, 'a token: letters, digits and signs without spaces'),
    secret: true,
    doc: 'Token that the hub is read with: owners and admins can import whatever it may read. Exports never use it.',
  }),
  hubTimeoutMs: setting({
    names: ['POSTIL_HUB_TIMEOUT'],
    parse: seconds,
    fallback: 30_000,
    shown: '`30`',
    doc: 'Seconds without a byte after which the hub counts as silent.',
  }),
}
