import { hubTokenForm } from '@postil/contract/files/hub-token.ts'
import { optional, setting } from './define-setting.ts'
import { pattern, seconds, serviceUrl } from './parsers.ts'

/** Settings for imports from the Hub and exports to it. */
export const hubSettings = {
  hubUrl: setting({
    names: ['HF_ENDPOINT'],
    parse: serviceUrl,
    fallback: 'https://huggingface.co',
    shown: '`https://huggingface.co`',
    doc: 'URL of the Hub, for imports and exports.',
  }),
  datasetsServer: setting({
    names: ['POSTIL_DATASETS_SERVER'],
    parse: serviceUrl,
    fallback: 'https://datasets-server.huggingface.co',
    shown: '`https://datasets-server.huggingface.co`',
    doc: "URL of the Hub service that lists a dataset's subsets, splits and Parquet files.",
  }),
  hubToken: optional({
    names: ['HF_TOKEN'],
    parse: pattern(hubTokenForm, 'a token: letters, digits and symbols without spaces'),
    secret: true,
    doc: 'Access token for imports from the Hub. Owners and admins can import everything that the token can read. Exports never use this token.',
  }),
  hubTimeoutMs: setting({
    names: ['POSTIL_HUB_TIMEOUT'],
    parse: seconds,
    fallback: 30_000,
    shown: '`30`',
    doc: 'A request to the Hub times out after this many seconds without data.',
  }),
}
