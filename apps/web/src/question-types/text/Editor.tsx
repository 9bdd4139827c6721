import type { KeyboardEvent, MouseEvent } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '#i18n/use-translation.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { directionOfInput } from '#lib/text/direction.ts'
import { SuggestionIcon } from '#ui/marks/icons.tsx'
import type { EditorProps } from '../define.ts'
import { useQuestionKeys } from '../question-keys.ts'
import styles from './Editor.module.css'
import { RenderedText } from './RenderedText.tsx'

/** Consecutive letters are one undo step. A pause of this many milliseconds starts a new one. */
const undoStepPause = 1000

// Keeps the focus in the text. Otherwise, a press on a button would end the editing, and the text above would be rendered again.
// The button would then move before the press is released.
const keepFocus = (event: MouseEvent): void => event.preventDefault()

export const TextEditor = ({ question, answer, suggestion, onChange, labelledBy, describedBy }: EditorProps<'text'>) => {
  const { t } = useTranslation('question-types/text')
  const value = answer.value ?? ''
  const [isEditing, setEditing] = useState(false)
  const [isSuggestionShown, setSuggestionShown] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const lastTyped = useRef(Number.NEGATIVE_INFINITY)
  const isRendered = question.settings.use_markdown && value !== '' && !isEditing
  const isChanged = suggestion !== null && suggestion.value !== value

  // Content that appears below the text makes the question taller. Scrolls so that the content is in view while the user is
  // editing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they determine what is shown below the text
  useLayoutEffect(() => {
    const asked = box.current?.closest('[data-question]')
    if (asked?.contains(document.activeElement)) asked.scrollIntoView({ block: 'nearest' })
  }, [isChanged, isSuggestionShown])

  const edit = (text: string): void => {
    const now = performance.now()
    const merge = now - lastTyped.current < undoStepPause
    lastTyped.current = now
    onChange({ value: text === '' ? null : text, suggested: null }, { merge })
  }
  const focusQuestion = (): void => box.current?.closest<HTMLElement>('[data-question]')?.focus({ preventScroll: true })
  const startEditing = (): void => {
    // Renders the text box immediately, because the next key press may already be the first letter.
    flushSync(() => setEditing(true))
    const field = box.current?.querySelector('textarea')
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }

  useQuestionKeys((press) => {
    if (!press.isOnQuestion || press.key !== 'Enter' || !press.shift) return false
    startEditing()
    return true
  })

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    setEditing(false)
    focusQuestion()
  }

  return (
    <div ref={box} className={styles['text']} data-state={answer.suggested === null ? 'on' : 'suggested'}>
      {isRendered ? (
        // biome-ignore lint/a11y/useSemanticElements: a button can't contain the links and headings of a rendered text
        // biome-ignore lint/a11y/useKeyWithClickEvents: Shift+Enter on the question and the button below it start editing too
        <div
          className={styles['rendered']}
          role="group"
          aria-labelledby={labelledBy}
          aria-describedby={describedBy}
          onClick={(event) => (event.target as Element).closest('a') ?? startEditing()}
        >
          <RenderedText text={value} isMarkdown />
        </div>
      ) : (
        <textarea
          className={styles['field']}
          rows={4}
          dir={directionOfInput(value)}
          aria-labelledby={labelledBy}
          aria-describedby={describedBy}
          aria-required={question.required || undefined}
          value={value}
          onChange={(event) => edit(event.target.value)}
          onFocus={() => setEditing(true)}
          onBlur={() => setEditing(false)}
          onKeyDown={onKeyDown}
        />
      )}
      {isRendered && (
        <button type="button" className={styles['link']} onClick={startEditing}>
          {t('edit')}
        </button>
      )}
      {isChanged && (
        <button
          type="button"
          className={styles['link']}
          aria-expanded={isSuggestionShown}
          onMouseDown={keepFocus}
          onClick={() => setSuggestionShown(!isSuggestionShown)}
        >
          <SuggestionIcon size={12} />
          {isSuggestionShown ? t('hideSuggestion') : t('showSuggestion')}
        </button>
      )}
      {isChanged && isSuggestionShown && (
        <div className={styles['suggestion']}>
          <RenderedText text={suggestion.value} isMarkdown={question.settings.use_markdown} />
          <button
            type="button"
            className={styles['link']}
            onMouseDown={keepFocus}
            onClick={() => onChange({ value: suggestion.value, suggested: null })}
          >
            {t('useSuggestion')}
          </button>
        </div>
      )}
    </div>
  )
}
