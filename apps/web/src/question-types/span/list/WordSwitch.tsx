import { useId } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { changeSelectionUnit, useSelectionUnit } from '../text/selection-unit.ts'
import styles from './WordSwitch.module.css'

/** Whether selecting by pointer takes whole words. An option like the labels, so that the keys of the question work on it too. */
export const WordSwitch = () => {
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
