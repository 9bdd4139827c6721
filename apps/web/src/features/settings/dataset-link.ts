import { href } from '#lib/api/base.ts'

/** The address of a dataset's annotation page, for sharing. */
export const hrefOfDataset = (id: string): string =>
  new URL(href(`/dataset/${encodeURIComponent(id)}/annotation-mode`), window.location.origin).href
