import { languageName, languages } from '#i18n/languages.ts'
import { changeLanguage } from '#i18n/setup.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { themes } from '#lib/prefs/preferences.ts'
import { changeTheme, useTheme } from '#lib/prefs/theme.ts'
import { Select } from '#ui/controls/Select.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import styles from './ProfilePage.module.css'

/** The theme and UI language in this browser. */
export const Appearance = () => {
  const { t } = useTranslation('features/profile')
  const { t: common, language } = useTranslation()
  const theme = useTheme()
  return (
    <section className={styles['part']} aria-labelledby="appearance">
      <h2 id="appearance">{t('appearance')}</h2>
      <p className={styles['hint']}>{t('appearanceHint')}</p>
      <div className={styles['choices']}>
        <div className={styles['choice']}>
          <span aria-hidden="true">{common('user.theme')}</span>
          <Select
            label={common('user.theme')}
            value={theme}
            options={themes.map((value) => ({ value, label: common(`user.themes.${value}`) }))}
            onChange={changeTheme}
          />
        </div>
        <div className={styles['choice']}>
          <span aria-hidden="true">{common('user.language')}</span>
          <Select
            label={common('user.language')}
            value={language}
            options={languages.map((value) => ({ value, label: languageName(value) }))}
            onChange={(code) => void changeLanguage(code).catch(toastProblem)}
          />
        </div>
      </div>
    </section>
  )
}
