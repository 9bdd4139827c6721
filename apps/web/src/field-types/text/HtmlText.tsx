import { useMemo } from 'react'
import { withoutScripts } from '#lib/markdown/allowed.ts'
import { Frame } from '../shared/Frame.tsx'

const noRecord = {}

/** A text that is HTML, with its looks but without whatever runs, in a frame of its own. */
export const HtmlText = ({ html, title }: { readonly html: string; readonly title: string }) => {
  const template = useMemo(() => withoutScripts(html), [html])
  return <Frame title={title} content={{ template, advanced: true, record: noRecord }} />
}
