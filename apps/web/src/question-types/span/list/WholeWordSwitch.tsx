import { useId } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { changeSelectionUnit, useSelectionUnit } from '../text/selection-unit.ts'
import styles from './WholeWordSwitch.module.css'

/**
 * Switches between selecting whole words and single characters with the pointer. It has the attribute `data-option`, like the
 * labels, so that the question's keys work on it.
 */
export const WholeWordSwitch = () => {
  const { t } = useTranslation('question-types/span')
  const id = useId()
  const byWord = useSelectionUnit() === 'word'
  return (
    <>
      <button
        type="button"
        role="switch"
        aria-checked={byWord}
        aria-describedby={id}
        data-option=""
        className={styles['switch']}
        title={t('wholeWordsHint')}
        onClick={() => changeSelectionUnit(byWord ? 'character' : 'word')}
      >
        <span className={styles['track']} aria-hidden="true" />
        {t('wholeWords')}
      </button>
      <span id={id} hidden>
        {t('wholeWordsHint')}
      </span>
    </>
  )
}
