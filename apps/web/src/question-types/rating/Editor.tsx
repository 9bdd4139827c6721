import type { KeyboardEvent, MouseEvent } from 'react'
import { useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { SuggestionIcon } from '#ui/marks/icons.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import type { EditorProps } from '../define.ts'
import { useQuestionKeys } from '../question-keys.ts'
import type { PickedBy } from '../shared/labels/label-options.ts'
import { pickOne } from '../shared/options/pick.ts'
import { rovingTarget } from '../shared/options/roving.ts'
import { useDigits } from '../shared/options/use-digits.ts'
import styles from './Editor.module.css'

export const RatingEditor = ({ question, answer, suggestion, onChange, labelledBy, describedBy }: EditorProps<'rating'>) => {
  const { t } = useTranslation('question-types/shared')
  const values = question.settings.options.map((option) => option.value)
  const [current, setCurrent] = useState<number | null>(null)
  const group = useRef<HTMLDivElement>(null)
  const stop = current ?? answer.value ?? values[0]

  const pick = (value: number, by: PickedBy): void => {
    const next = pickOne(answer, value)
    // Screen readers don't announce this change by themselves. The focus is elsewhere, or it moves to the next question.
    if (by !== 'pointer') announce(next.value === null ? t('takenOff', { option: value }) : t('picked', { option: value }))
    onChange(next, { done: next.value !== null, quick: by === 'digit' })
  }
  const digits = useDigits((value) => pick(value, 'digit'))
  useQuestionKeys((press) => digits.press(press.key, press.ctrl || press.alt ? [] : values))

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = rovingTarget(event.key, stop === undefined ? -1 : values.indexOf(stop), values.length)
    const value = target === null ? undefined : values[target]
    if (target === null || value === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setCurrent(value)
    group.current?.querySelectorAll<HTMLElement>('[role=radio]')[target]?.focus()
  }

  const onClick = (value: number) => (event: MouseEvent<HTMLElement>) => {
    setCurrent(value)
    if (event.detail > 0) event.currentTarget.closest<HTMLElement>('[data-question]')?.focus({ preventScroll: true })
    pick(value, event.detail > 0 ? 'pointer' : 'key')
  }

  return (
    <div
      ref={group}
      role="radiogroup"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className={styles['rating']}
      onKeyDown={onKeyDown}
    >
      {values.map((value) => {
        const isSuggested = suggestion?.value === value
        const state = answer.value !== value ? 'off' : answer.suggested === value ? 'suggested' : 'on'
        return (
          // biome-ignore lint/a11y/useSemanticElements: a native radio button can't be cleared
          <button
            key={value}
            type="button"
            role="radio"
            data-option=""
            aria-checked={answer.value === value}
            tabIndex={value === stop ? 0 : -1}
            className={styles['value']}
            data-state={state}
            onClick={onClick(value)}
            onFocus={() => setCurrent(value)}
          >
            {value}
            {isSuggested && (
              <>
                <span className={styles['mark']} aria-hidden="true">
                  <SuggestionIcon size={10} />
                </span>
                <VisuallyHidden>{t('suggested')}</VisuallyHidden>
              </>
            )}
          </button>
        )
      })}
    </div>
  )
}
