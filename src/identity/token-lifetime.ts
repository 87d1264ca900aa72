/**
 * The longest life of a token, in seconds, unless a setting says otherwise: thirty days. Those of users live for an hour,
 * as Open edX makes them. Those of services are renewed by hand in many places, and ones that nobody has renewed for a
 * month are ones that nobody has an eye on.
 */
export const MAX_LIFETIME_S = 30 * 86_400;
