import java.io.*;
import java.util.HexFormat;

class Modified {
    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            var bytes = HexFormat.of().parseHex(line.replace(" ", ""));
            var framed = new ByteArrayOutputStream();
            framed.write(bytes.length >> 8);
            framed.write(bytes.length);
            framed.write(bytes);
            try {
                new DataInputStream(new ByteArrayInputStream(framed.toByteArray())).readUTF();
                System.out.println(1);
            } catch (UTFDataFormatException error) {
                System.out.println(0);
            }
        }
    }
}
