import { optional, setting } from './define-setting.ts'
import { folder, home, type Parser, serviceUrl, text } from './parsers.ts'

/** Where record files are stored: a folder or an S3-compatible bucket. */
export type FilesPlace =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string }

const filesPlace: Parser<FilesPlace> = (raw) => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(raw)) {
    const found = folder(home)(raw)
    return 'problem' in found ? found : { value: { kind: 'folder', path: found.value } }
  }
  const found = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(raw)
  if (found === null || /\/\/|(^|\/)\.\.?(\/|$)/.test(found[2] ?? '')) {
    return { problem: 'must be a folder or a bucket such as s3://bucket/prefix' }
  }
  const prefix = (found[2] ?? '').replace(/^\/+|\/+$/g, '')
  return { value: { kind: 's3', bucket: found[1] ?? '', prefix: prefix === '' ? '' : `${prefix}/` } }
}

/** Settings for files that records refer to. */
export const filesSettings = {
  files: optional<FilesPlace>({
    names: ['POSTIL_FILES'],
    parse: filesPlace,
    shown: '`files` in the data folder',
    doc: 'Location of imported images: a folder, or `s3://bucket/prefix`. Servers and workers that share a database must share this location.',
  }),
  s3Endpoint: optional({
    names: ['POSTIL_S3_ENDPOINT'],
    parse: serviceUrl,
    shown: 'AWS endpoint of the region',
    doc: 'URL of an S3-compatible service. The bucket is the first segment of the path.',
  }),
  s3Region: setting({
    names: ['POSTIL_S3_REGION', 'AWS_REGION'],
    parse: text({ min: 1, max: 100 }),
    fallback: 'us-east-1',
    shown: '`us-east-1`',
    doc: 'Region of the bucket.',
  }),
  s3AccessKey: optional({
    names: ['POSTIL_S3_ACCESS_KEY_ID', 'AWS_ACCESS_KEY_ID'],
    parse: text({ min: 1 }),
    secret: true,
    doc: 'Access key ID for the bucket.',
  }),
  s3SecretKey: optional({
    names: ['POSTIL_S3_SECRET_ACCESS_KEY', 'AWS_SECRET_ACCESS_KEY'],
    parse: text({ min: 1 }),
    secret: true,
    doc: 'Secret access key for the bucket.',
  }),
}
