import type { Option } from '@postil/contract/question-types/options.ts'
import { useId, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { foldAbove } from '#lib/constants.ts'
import { directionOf } from '#lib/text/direction.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { ChevronDownIcon, ChevronUpIcon, GripIcon } from '#ui/marks/icons.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { ColourPicker } from '../labels/ColourPicker.tsx'
import styles from './OptionsForm.module.css'
import { canFold, moveOption, optionFaults, visibleCount } from './option-settings.ts'
import { useRowDrag } from './use-row-drag.ts'

type Choosable = { readonly options: Option[]; readonly visible_options: number | null }
/** The label colors that a form shows and changes. */
export type Colours = {
  readonly chosen: ReadonlyMap<string, number>
  /** Hues of labels without a chosen hue. Omitted if such labels have no color. */
  readonly automatic?: ReadonlyMap<string, number>
  readonly onHue: (value: string, hue: number | null) => void
}
type Change = { readonly options?: Option[]; readonly visible_options?: number }
type Props = {
  readonly settings: Choosable
  /** The settings on the server. */
  readonly stored: Choosable
  readonly onChange: (change: Change) => void
  readonly colours: Colours
}

/**
 * Edits the order, texts and colors of a question's options, and how many are shown while the list is collapsed. Values can't
 * be changed.
 */
export const OptionsForm = ({ settings, stored, onChange, colours }: Props) => {
  const { t } = useTranslation('question-types/shared')
  const titleId = useId()
  const list = useRef<HTMLOListElement>(null)
  const { options } = settings
  const faults = optionFaults(options, stored.options)

  const move = (from: number, to: number): void => {
    const next = moveOption(options, from, to)
    if (next === options) return
    onChange({ options: [...next] })
    announce(t('options.movedTo', { label: options[from]?.text, place: to + 1, count: options.length }))
  }
  const moveByKey = (from: number, to: number, button: HTMLElement): void => {
    move(from, to)
    // The focus moves with the row, even if the button has no effect at the row's new position.
    requestAnimationFrame(() => button.focus())
  }
  const drag = useRowDrag(list, move)

  return (
    <div className={styles['form']}>
      <p id={titleId} className={styles['title']}>
        {t('options.title')}
      </p>
      <ol ref={list} className={styles['list']} aria-labelledby={titleId}>
        {options.map((option, index) => {
          const fault = faults.get(option.value)
          const faultId = `${titleId}-${index}`
          return (
            <li key={option.value} className={classNames(styles['row'], drag.from === index && styles['dragged'])}>
              <span className={styles['grip']} aria-hidden="true" onPointerDown={(event) => drag.start(event, index)}>
                <GripIcon />
              </span>
              <input
                className={styles['text']}
                dir={directionOf(option.text)}
                value={option.text}
                aria-label={t('options.text', { value: option.value })}
                aria-invalid={fault !== undefined || undefined}
                aria-describedby={fault && faultId}
                onChange={(event) =>
                  onChange({
                    options: options.map((one) => (one.value === option.value ? { ...one, text: event.target.value } : one)),
                  })
                }
              />
              <code className={styles['value']}>{option.text !== option.value && option.value}</code>
              <ColourPicker
                label={option.text}
                hue={colours.chosen.get(option.value) ?? null}
                automatic={colours.automatic?.get(option.value) ?? null}
                onHue={(hue) => colours.onHue(option.value, hue)}
              />
              <IconButton
                icon={ChevronUpIcon}
                label={t('options.up', { label: option.text })}
                aria-disabled={index === 0 || undefined}
                onClick={(event) => moveByKey(index, index - 1, event.currentTarget)}
              />
              <IconButton
                icon={ChevronDownIcon}
                label={t('options.down', { label: option.text })}
                aria-disabled={index === options.length - 1 || undefined}
                onClick={(event) => moveByKey(index, index + 1, event.currentTarget)}
              />
              {fault && (
                <p id={faultId} role="alert" className={styles['fault']}>
                  {t(`fault.${fault}`)}
                </p>
              )}
            </li>
          )
        })}
      </ol>
      {canFold(settings) && (
        <label className={styles['visible']}>
          <span>
            {visibleCount(settings) < options.length
              ? t('options.visible', { count: visibleCount(settings) })
              : t('options.allVisible', { count: options.length })}
          </span>
          <input
            type="range"
            min={foldAbove}
            max={options.length}
            value={visibleCount(settings)}
            onChange={(event) => onChange({ visible_options: Number(event.target.value) })}
          />
        </label>
      )}
    </div>
  )
}
