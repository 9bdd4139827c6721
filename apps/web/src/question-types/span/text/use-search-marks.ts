import type { RefObject } from 'react'
import { useEffect } from 'react'
import { paint } from '#lib/text/highlights.ts'
import { useIgnoredAccents } from '#lib/text/ignored-accents.ts'
import { searchMarks } from '#lib/text/search-marks.ts'
import type { Block } from './blocks.ts'
import { textElement } from './text-element.ts'

type Options = { readonly text: string; readonly blocks: readonly Block[]; readonly search: string | null }

/** Highlights the matches of a search in the text. */
export const useSearchMarks = (root: RefObject<HTMLElement | null>, { text, blocks, search }: Options): void => {
  const ignoresAccents = useIgnoredAccents()
  useEffect(() => {
    const shown = root.current
    const marks = search ? searchMarks(text, search, ignoresAccents) : []
    if (!shown || marks.length === 0) return
    let unpaint = (): void => {}
    const mark = (): void => {
      unpaint()
      const element = textElement(shown, text, blocks)
      unpaint = paint(
        'postil-search',
        marks.flatMap((range) => element.rangeOf(range) ?? []),
      )
    }
    mark()
    // Text nodes are replaced when a span is added or removed, and when a block comes near the viewport. Ranges in the old nodes
    // then become empty, so the matches are marked again.
    const observer = new MutationObserver((changes) => {
      // Changes to the text element itself only add or remove the cursor, so they are ignored.
      if (changes.some(({ target }) => target !== shown)) mark()
    })
    observer.observe(shown, { childList: true, characterData: true, subtree: true })
    return () => {
      observer.disconnect()
      unpaint()
    }
  }, [root, search, text, blocks, ignoresAccents])
}
