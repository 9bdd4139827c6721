import { useMemo } from 'react'
import { withoutScripts } from '#lib/markdown/sanitize.ts'
import { Frame } from '../shared/Frame.tsx'

type Props = { readonly html: string; readonly title: string; readonly search: string | null }

const noRecord = {}

/** HTML text in its own frame, with its styles but without scripts. */
export const HtmlText = ({ html, title, search }: Props) => {
  const template = useMemo(() => withoutScripts(html), [html])
  return <Frame title={title} content={{ template, advanced: true, record: noRecord, images: null, search }} />
}
