import { href } from '#lib/api/base.ts'

/** The address of a record, for links outside the web app. */
export const recordLink = (datasetId: string, recordId: string): string =>
  `${location.origin}${href(`/dataset/${datasetId}/record/${recordId}`)}`
