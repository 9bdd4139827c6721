import { useMemo } from 'react'
import { withoutScripts } from '#lib/markdown/sanitize.ts'
import { Frame } from '../shared/Frame.tsx'

type Props = { readonly html: string; readonly title: string; readonly search: string | null }

const noRecord = {}

/** A text that is HTML, with its styles but without scripts, in its own frame. */
export const HtmlText = ({ html, title, search }: Props) => {
  const template = useMemo(() => withoutScripts(html), [html])
  return <Frame title={title} content={{ template, advanced: true, record: noRecord, search }} />
}
