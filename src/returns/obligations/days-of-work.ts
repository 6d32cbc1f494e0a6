/** Overview and Returns show what is still to be filed, and what is due in so many days. */
export const DUE_DAYS_AHEAD = 105
