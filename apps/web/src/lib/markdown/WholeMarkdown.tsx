import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '#i18n/use-translation.ts'
import { paint } from '#lib/text/highlights.ts'
import { useIgnoredAccents } from '#lib/text/ignored-accents.ts'
import { searchMarks } from '#lib/text/search-marks.ts'
import { textRanges } from '#lib/text/text-ranges.ts'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import styles from './Markdown.module.css'
import { enhance, needsEnhancement, renderMarkdown } from './render.ts'

type Props = {
  readonly text: string
  /** Search words to highlight. */
  readonly search: string | null
  readonly direction: 'ltr' | 'rtl'
}

type Code = { readonly place: HTMLElement; readonly code: string }

/** Gives each code block a container for its copy button. */
const addCopyButtons = (root: HTMLElement): readonly Code[] =>
  [...root.querySelectorAll('pre:not(.math-display)')].map((block) => {
    const place = document.createElement('div')
    place.className = styles['copy'] ?? ''
    const code = block.textContent
    block.before(place)
    return { place, code }
  })

/**
 * In the focused box, the browser scrolls when the left or right arrow key is pressed. The key must not trigger anything else.
 */
const stopArrowKeys = (event: KeyboardEvent): void => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
  if (event.target === event.currentTarget && isPlain && /^Arrow(Left|Right)$/.test(event.key)) event.stopPropagation()
}

/** Makes scrolling tables reachable with the keyboard. Other tables must not be Tab stops. */
const watchTableOverflow = (root: HTMLElement): (() => void) => {
  const boxes = root.querySelectorAll<HTMLElement>('[data-table]')
  if (boxes.length === 0) return () => {}
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = target.closest('[data-table]')
      if (!box) continue
      if (box.scrollWidth > box.clientWidth) box.setAttribute('tabindex', '0')
      else box.removeAttribute('tabindex')
    }
  })
  for (const box of boxes) {
    observer.observe(box)
    box.addEventListener('keydown', stopArrowKeys)
    // The table's size may change when its formulas are rendered.
    if (box.firstElementChild) observer.observe(box.firstElementChild)
  }
  return () => observer.disconnect()
}

/** Renders untrusted Markdown as sanitized elements, all at once. */
export const WholeMarkdown = ({ text, search, direction }: Props) => {
  const { t } = useTranslation()
  const root = useRef<HTMLDivElement>(null)
  const ignoresAccents = useIgnoredAccents()
  const [codes, setCodes] = useState<readonly Code[]>([])

  useLayoutEffect(() => {
    if (!root.current) return undefined
    root.current.replaceChildren(renderMarkdown(text, direction))
    setCodes(addCopyButtons(root.current))
    return watchTableOverflow(root.current)
  }, [text, direction])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text has other matches
  useEffect(() => {
    const shown = root.current
    if (!shown) return
    let unpaint = (): void => {}
    const mark = (): void => {
      unpaint()
      unpaint = search
        ? paint(
            'postil-search',
            textRanges(shown, (content) => searchMarks(content, search, ignoresAccents)),
          )
        : () => {}
    }
    mark()
    if (needsEnhancement(shown)) enhance(shown).then(mark, () => undefined)
    return () => unpaint()
  }, [text, search, ignoresAccents])

  return (
    <>
      <div ref={root} className={styles['markdown']} dir={direction} />
      {codes.map(({ place, code }, index) =>
        createPortal(<CopyButton label={t('action.copy')} text={code} />, place, String(index)),
      )}
    </>
  )
}
