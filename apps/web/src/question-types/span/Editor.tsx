import type { Span } from '@postil/contract/answer-value.ts'
import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import { useMemo } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { EditorProps } from '../define.ts'
import type { KeyPress } from '../question-keys.ts'
import { LabelOptions } from '../shared/labels/LabelOptions.tsx'
import '../shared/labels/label-colours.css'
import { numbered } from '../shared/options/option-list.ts'
import styles from './Editor.module.css'
import { SpanList } from './list/SpanList.tsx'
import { WholeWordSwitch } from './list/WholeWordSwitch.tsx'
import { changeSession, useSpanSession } from './session.ts'
import { useSpanHues } from './use-span-hues.ts'
import { useSpans } from './use-spans.ts'

/** The labels to choose from and the list of spans. Spans are marked in the text itself. */
export const SpanEditor = (props: EditorProps<'span'>) => {
  const { question, fields, shared, labelledBy, describedBy } = props
  const { t } = useTranslation('question-types/span')
  const { settings } = question
  const session = useSpanSession(shared)
  const options = useMemo(() => numbered(offeredOptions(settings)), [settings])
  const hues = useSpanHues(question)
  const hueOf = (value: string): number => hues.get(value) ?? 0
  const value = fields !== null && Object.hasOwn(fields, settings.field) ? fields[settings.field] : null
  // Without a record, the text is empty instead of null, so that the editor doesn't report a missing text.
  const text = useMemo(() => (fields === null ? '' : (spanTextOf(value)?.text ?? null)), [fields, value])
  const spans = useSpans({ ...props, text: text ?? '' })
  const nameOf = (value: string): string => settings.options.find((option) => option.value === value)?.text || value

  const pick = (value: string): void => {
    const isActive = session.label === value
    changeSession(shared, {
      label: isActive && !session.current ? null : value,
      pickedLabel: isActive && !session.current ? null : value,
    })
  }

  const focusText = ({ key, shift, isOnQuestion }: KeyPress): boolean => {
    const isPickable = isOnQuestion && shift && key === 'Enter'
    if (isPickable) changeSession(shared, { focusText: true })
    return isPickable
  }

  if (text === null) {
    const isUnlabelled = settings.field === ''
    return <p className={styles['note']}>{isUnlabelled ? t('noFieldYet') : t('noText', { field: settings.field })}</p>
  }
  return (
    <div className={styles['spans']}>
      <LabelOptions
        mode="one"
        options={options}
        visible={settings.visible_options}
        isPicked={(value) => session.label === value}
        isOnlySuggested={() => false}
        scoreOf={() => undefined}
        onPick={pick}
        labelledBy={labelledBy}
        describedBy={describedBy}
        hueOf={hueOf}
        onKey={focusText}
      />
      <SpanList
        beside={settings.allow_character_annotation ? <WholeWordSwitch /> : null}
        text={text}
        spans={spans}
        nameOf={nameOf}
        hueOf={hueOf}
        current={session.current}
        onShow={(span: Span) => changeSession(shared, { current: span, spanToReveal: span })}
        onRemove={(span: Span) => {
          spans.remove(span)
          changeSession(shared, { current: null })
        }}
      />
    </div>
  )
}
