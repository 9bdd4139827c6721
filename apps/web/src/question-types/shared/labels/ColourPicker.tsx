import { useId, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Popover } from '#ui/overlays/Popover.tsx'
import styles from './ColourPicker.module.css'
import './label-colours.css'
import { labelColourProperties } from './label-colours.ts'

/** Named hues, spaced far enough apart to have different color names. */
const palette = [
  { name: 'red', hue: 0 },
  { name: 'orange', hue: 28 },
  { name: 'yellow', hue: 52 },
  { name: 'lime', hue: 85 },
  { name: 'green', hue: 130 },
  { name: 'teal', hue: 170 },
  { name: 'cyan', hue: 195 },
  { name: 'blue', hue: 220 },
  { name: 'indigo', hue: 245 },
  { name: 'violet', hue: 275 },
  { name: 'pink', hue: 310 },
  { name: 'rose', hue: 340 },
] as const

type Props = {
  /** The label that the color belongs to. */
  readonly label: string
  /** The chosen hue, or null for the automatic one. */
  readonly hue: number | null
  /** The hue that the label has if none is chosen. Null if the label has no color without a chosen hue. */
  readonly automatic: number | null
  readonly onHue: (hue: number | null) => void
}

/** Picks a label's color: one from a palette, or the automatic one. Themes set the color's lightness and chroma. */
export const ColourPicker = ({ label, hue, automatic, onHue }: Props) => {
  const { t } = useTranslation('question-types/shared/options')
  const id = useId()
  const radios = useRef<HTMLFieldSetElement>(null)
  const shown = hue ?? automatic
  const known = palette.find((colour) => colour.hue === hue)
  // If the hue was set through the API, it might not be in the palette.
  const name = hue === null ? t('colours.automatic') : known ? t(`colours.${known.name}`) : t('colours.other', { hue })
  const swatch = (of: number | null) => (
    <span
      className={styles['swatch']}
      data-none={of === null ? '' : undefined}
      style={of === null ? undefined : labelColourProperties(of)}
      aria-hidden="true"
    />
  )
  const choice = (value: number | null, text: string) => (
    <label key={text} className={styles['choice']} title={text}>
      <input
        type="radio"
        name={`${id}-colour`}
        className={styles['radio']}
        checked={value === hue}
        onChange={() => onHue(value)}
      />
      {swatch(value ?? automatic)}
      <span className={value === null ? styles['text'] : 'visually-hidden'}>{text}</span>
    </label>
  )
  return (
    <Popover
      label={t('colours.of', { label })}
      align="end"
      className={styles['panel']}
      trigger={
        <button type="button" className={styles['button']} aria-label={t('colours.button', { label, colour: name })} title={name}>
          {swatch(shown)}
        </button>
      }
    >
      <fieldset ref={radios} className={styles['colours']}>
        <legend className="visually-hidden">{t('colours.of', { label })}</legend>
        <div className={styles['palette']}>{palette.map((colour) => choice(colour.hue, t(`colours.${colour.name}`)))}</div>
        {hue !== null && !known && choice(hue, t('colours.other', { hue }))}
        {choice(null, t('colours.automatic'))}
      </fieldset>
    </Popover>
  )
}
