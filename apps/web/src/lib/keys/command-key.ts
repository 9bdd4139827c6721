const isApple = /mac|iphone|ipad/i.test(navigator.platform)

/** The key for shortcuts as it is printed on this machine's keyboard. */
export const commandKey = isApple ? '⌘' : 'Ctrl'
