// All words of the interface, which are those of words.json: to translate it, translate that file.
// neardup.say("pair.of", {at: 3, total: 9}) fills in what stands in braces.
"use strict";
const neardup = WORDS;

neardup.say = (key, values) => {
  const found = neardup.words[key];
  if (found === undefined) throw new Error(`no words for ${key}`);
  return values ? found.replace(/\{(\w+)\}/gu, (_, name) => String(values[name])) : found;
};

// What a value of the results is called; those of users stay as they are.
neardup.named = (value) => (Object.hasOwn(neardup.names, value) ? neardup.names[value] : value);
