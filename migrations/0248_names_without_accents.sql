DROP INDEX `customers_by_lower_name`;
DROP INDEX `customers_by_second_word`;
DROP INDEX `customers_by_third_word`;
DROP INDEX `customers_by_fourth_word`;
ALTER TABLE `customers` ADD `folded_name` text;
-- The names of earlier releases without their accents, as folded-name.ts writes them for Latin, Greek, Cyrillic,
-- Armenian and Georgian letters. A letter of the first list becomes the one at its place in the second.
WITH RECURSIVE letters(accented, plain) AS (VALUES (
  'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝàáâãäåçèéêëìíîïðñòóôõöøùúûüýÿĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥ'
  || 'ĦħĨĩĪīĬĭĮįİıĲĴĵĶķĹĺĻļĽľĿŁłŃńŅņŇňŊŌōŎŏŐőŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŦŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽžƁƂƄƆƇƉƊƋƎƏƐƑƓƔ'
  || 'ƖƗƘƜƝƟƠơƢƤƦƧƩƬƮƯưƱƲƳƵƷƸƼǄǅǇǈǊǋǍǎǏǐǑǒǓǔǕǖǗǘǙǚǛǜǞǟǠǡǤǦǧǨǩǪǫǬǭǮǯǰǱǲǴǵǶǷǸǹǺǻǾǿȀȁȂȃȄȅȆȇȈȉȊȋȌȍȎȏȐȑȒȓȔ'
  || 'ȕȖȗȘșȚțȜȞȟȠȢȤȦȧȨȩȪȫȬȭȮȯȰȱȲȳȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲʹͶ;Ϳ΅Ά·ΈΉΊΌΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫάέήίΰςϊϋόύώϏϓ'
  || 'ϔϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯйѐёѓїќѝўѠѢѤѦѨѪѬѮѰѲѴѶѷѸѺѼѾҀҊ'
  || 'ҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӂӃӅӇӉӋӍӐӑӒӓӔӖӗӘӚӛӜӝӞӟӠӢӣӤӥӦӧӨӪӫӬӭӮӯӰӱӲӳӴӵӶӸӹӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦ'
  || 'ԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬ'
  || 'ᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤ'
  || 'ᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿḀḁḂḃḄḅḆḇḈḉḊḋḌḍḎḏḐḑḒḓḔḕḖḗḘḙḚḛḜḝḞḟḠḡḢḣḤḥḦḧḨḩḪḫḬḭḮḯḰḱḲḳḴḵḶḷḸḹḺḻḼḽḾḿṀṁṂṃṄṅ'
  || 'ṆṇṈṉṊṋṌṍṎṏṐṑṒṓṔṕṖṗṘṙṚṛṜṝṞṟṠṡṢṣṤṥṦṧṨṩṪṫṬṭṮṯṰṱṲṳṴṵṶṷṸṹṺṻṼṽṾṿẀẁẂẃẄẅẆẇẈẉẊẋẌẍẎẏẐẑẒẓẔẕẖẗẘẙẛẠạẢảẤấẦầẨẩ'
  || 'ẪẫẬậẮắẰằẲẳẴẵẶặẸẹẺẻẼẽẾếỀềỂểỄễỆệỈỉỊịỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợỤụỦủỨứỪừỬửỮữỰựỲỳỴỵỶỷỸỹỺỼỾἀἁἂἃἄἅἆἇἈἉἊἋ'
  || 'ἌἍἎἏἐἑἒἓἔἕἘἙἚἛἜἝἠἡἢἣἤἥἦἧἨἩἪἫἬἭἮἯἰἱἲἳἴἵἶἷἸἹἺἻἼἽἾἿὀὁὂὃὄὅὈὉὊὋὌὍὐὑὒὓὔὕὖὗὙὛὝὟὠὡὢὣὤὥὦὧὨὩὪὫὬὭὮὯὰάὲέὴήὶ'
  || 'ίὸόὺύὼώᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯᾰᾱᾲᾳᾴᾶᾷᾸᾹᾺΆᾼι῁ῂῃῄῆῇῈΈῊΉῌ῍῎῏ῐῑῒΐῖῗῘῙῚΊ῝῞῟'
  || 'ῠῡῢΰῤῥῦῧῨῩῪΎῬ῭΅`ῲῳῴῶῷῸΌῺΏῼ´ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ',
  'aaaaaaceeeeiiiidnoooooouuuuyaaaaaaceeeeiiiidnoooooouuuuyyaaaaaaccccccccddddeeeeeeeeeegggggggghh'
  || 'hhiiiiiiiiiiĳjjkkllllllŀllnnnnnnŋoooooorrrrrrssssssssttttŧuuuuuuuuuuuuwwyyyzzzzzzɓƃƅɔƈɖɗƌǝəɛƒɠɣ'
  || 'ɩɨƙɯɲɵooƣƥʀƨʃƭʈuuʊʋƴƶʒƹƽǆǆǉǉǌǌaaiioouuuuuuuuuuaaaaǥggkkooooʒʒjǳǳggƕƿnnaaooaaaaeeeeiiiioooorrrru'
  || 'uuussttȝhhƞȣȥaaeeooooooooyyⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳʹͷ;ϳ¨α·εηιουωιαβγδεζηθικλμνξοπρστυφχψωιυαεηιυσιυουωϗϒ'
  || 'ϒϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽееђгєѕііјљњћкиуџабвгдежзииклмнопрстуфхцчшщъыьэюяиеегікиуѡѣѥѧѩѫѭѯѱѳѵѵѵѹѻѽѿҁҋ'
  || 'ҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏжжӄӆӈӊӌӎааааӕееәәәжжззӡииииооөөөээууууууччӷыыӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧ'
  || 'ԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼ'
  || 'ꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽᲊაბგდევზთიკლმნოპჟრსტუფ'
  || 'ქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿaabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnn'
  || 'nnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwyſaaaaaaaaaa'
  || 'aaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyyỻỽỿαααααααααααα'
  || 'ααααεεεεεεεεεεεεηηηηηηηηηηηηηηηηιιιιιιιιιιιιιιιιοοοοοοοοοοοουυυυυυυυυυυυωωωωωωωωωωωωωωωωααεεηηι'
  || 'ιοουυωωααααααααααααααααηηηηηηηηηηηηηηηηωωωωωωωωωωωωωωωωααααααααααααι¨ηηηηηεεηηη᾿᾿᾿ιιιιιιιιιι῾῾῾'
  || 'υυυυρρυυυυυυρ¨¨`ωωωωωοοωωω´ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ'))
UPDATE customers SET folded_name = (
  WITH RECURSIVE folded(at, text, done) AS (
    SELECT 1, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name, 'Æ', 'ae'), 'Þ', 'th'), 'ß', 'ss'), 'æ', 'ae'), 'þ', 'th'), 'Œ', 'oe'), 'œ', 'oe'), 'Ǣ', 'ae'), 'ǣ', 'ae'), 'Ǽ', 'ae'), 'ǽ', 'ae'), 'ẞ', 'ss'), ''
    UNION ALL
    SELECT at + 1, text, done || CASE
      WHEN unicode(substr(text, at, 1)) < 128 THEN lower(substr(text, at, 1))
      WHEN unicode(substr(text, at, 1)) BETWEEN 768 AND 879 THEN ''
      ELSE coalesce(
        (SELECT substr(plain, nullif(instr(accented, substr(text, at, 1)), 0), 1) FROM letters),
        substr(text, at, 1)) END
    FROM folded WHERE at <= length(text))
  SELECT done FROM folded WHERE at > length(text))
WHERE name GLOB '*[^ -~]*';
CREATE INDEX `customers_of_long_names` ON `customers` (`account_id`) WHERE "name" GLOB '* * * * *';
CREATE INDEX `customers_by_vat_number` ON `customers` (`account_id`,ltrim(upper(replace(replace(replace(replace("vat_id", ' ', ''), '.', ''), '-', ''), '/', '')), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')) WHERE "vat_id" IS NOT NULL;
CREATE INDEX `customers_by_lower_name` ON `customers` (`account_id`,coalesce("folded_name", lower("name")));
CREATE INDEX `customers_by_second_word` ON `customers` (`account_id`,substr(coalesce("folded_name", lower("name")), instr(coalesce("folded_name", lower("name")), ' ') + 1)) WHERE "name" GLOB '* *';
CREATE INDEX `customers_by_third_word` ON `customers` (`account_id`,substr(substr(coalesce("folded_name", lower("name")), instr(coalesce("folded_name", lower("name")), ' ') + 1), instr(substr(coalesce("folded_name", lower("name")), instr(coalesce("folded_name", lower("name")), ' ') + 1), ' ') + 1)) WHERE "name" GLOB '* * *';
CREATE INDEX `customers_by_fourth_word` ON `customers` (`account_id`,substr(substr(substr(coalesce("folded_name", lower("name")), instr(coalesce("folded_name", lower("name")), ' ') + 1), instr(substr(coalesce("folded_name", lower("name")), instr(coalesce("folded_name", lower("name")), ' ') + 1), ' ') + 1), instr(substr(substr(coalesce("folded_name", lower("name")), instr(coalesce("folded_name", lower("name")), ' ') + 1), instr(substr(coalesce("folded_name", lower("name")), instr(coalesce("folded_name", lower("name")), ' ') + 1), ' ') + 1), ' ') + 1)) WHERE "name" GLOB '* * * *';
CREATE INDEX `transactions_by_vat_number` ON `transactions` (`account_id`,ltrim(upper(replace(replace(replace(replace("customer_vat_id", ' ', ''), '.', ''), '-', ''), '/', '')), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')) WHERE "customer_vat_id" IS NOT NULL;
